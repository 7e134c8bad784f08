"""A picture as Mermaid: added, removed and changed parts differ by shape, line and sign."""

import re

from trunkline.diff.phrases import plural
from trunkline.diff.picture import BEGINNING, EVERYWHERE, Picture, PictureNode, Status
from trunkline.diff.render.inert import plain

_LONGEST_LABEL = 60
_SIGNS: dict[Status, str] = {"same": "", "added": "+ ", "removed": "− ", "changed": "± "}  # noqa: RUF001
# A box for what stayed, a double box for what is new, a hexagon for what is gone, a stadium for
# what is changed; thick, dotted and plain lines for the ways.
_SHAPES: dict[Status, tuple[str, str]] = {
    "same": ("[", "]"),
    "added": ("[[", "]]"),
    "removed": ("{{", "}}"),
    "changed": ("([", "])"),
}
_LINES: dict[Status, str] = {"same": "-->", "added": "==>", "removed": "-.->", "changed": "-->"}
_STYLES = (
    "classDef added stroke-width:3px",
    "classDef removed stroke-dasharray:5 4",
    "classDef changed stroke-width:2px",
)
_LEGEND: dict[Status, str] = {
    "added": "Double box, thick line, `+`: new.",
    "removed": "Hexagon, dotted line, `−`: gone.",  # noqa: RUF001
    "changed": "Rounded box, `±`: changed; on a line, its words or what it needs.",
}
# What would end a label, or mean something in one. An angle bracket that could begin or end an
# element has a sign of its own: some renderers turn the entity back first and read HTML then.
_ESCAPED = {ord(sign): f"#{ord(sign)};" for sign in '"#&`%\\{}|$<>'}
_BRACKETS = str.maketrans("<>", "‹›")  # noqa: RUF001
_COMPARES = re.compile(r"(?<= )[<>](?= )")


def mermaid(picture: Picture) -> str:
    """The source of a flowchart; the same bytes for the same picture."""
    names = {node.id: f"n{index}" for index, node in enumerate(picture.nodes)}
    lines = ["flowchart TD"]
    lines += [f"  {names[node.id]}{_node(node)}" for node in picture.nodes]
    for edge in picture.edges:
        sign = _SIGNS[edge.status]
        label = f'|"{sign}{_label(edge.label)}"|' if edge.label or sign else ""
        lines.append(f"  {names[edge.source]} {_LINES[edge.status]}{label} {names[edge.target]}")
    on_path = [str(index) for index, edge in enumerate(picture.edges) if edge.on_path]
    if on_path:
        lines.append(f"  linkStyle {','.join(on_path)} stroke-width:5px")
    for status, style in zip(("added", "removed", "changed"), _STYLES, strict=True):
        marked = [names[node.id] for node in picture.nodes if node.status == status]
        if marked:
            lines += [f"  {style}", f"  class {','.join(marked)} {status}"]
    passed = [names[node.id] for node in picture.nodes if node.on_path]
    if passed:
        lines += ["  classDef path stroke-width:4px", f"  class {','.join(passed)} path"]
    return "\n".join(lines) + "\n"


def legend(picture: Picture) -> str:
    """What the signs mean that this picture has, as a line of Markdown."""
    statuses = {node.status for node in picture.nodes} | {edge.status for edge in picture.edges}
    told = [words for status, words in _LEGEND.items() if status in statuses]
    if any(node.on_path for node in picture.nodes):
        told.append("Widest borders and lines: the path above.")
    if any(node.cut > 0 for node in picture.nodes):
        told.append("`…`: exits that are not drawn.")
    return " ".join(told)


def _node(node: PictureNode) -> str:
    if node.id in (EVERYWHERE, BEGINNING):
        return f'(("{_label(node.id)}"))'
    opening, closing = _SHAPES[node.status]
    words = f"{_SIGNS[node.status]}{_label(node.id)}"
    if node.line:
        words += f"<br/>{_label(node.line)}"
    if node.cut > 0:
        words += f"<br/>… {plural(node.cut, 'more exit')}"
    return f'{opening}"{words}"{closing}'


def _label(text: str) -> str:
    """Text of a flow as a label: one line, cut, and with nothing in it that Mermaid obeys."""
    line = plain(text)
    if len(line) > _LONGEST_LABEL:
        line = line[: _LONGEST_LABEL - 1] + "…"
    parts = _COMPARES.split(line)
    signs = [*_COMPARES.findall(line), ""]
    safe = "".join(
        part.translate(_BRACKETS) + sign for part, sign in zip(parts, signs, strict=True)
    )
    return safe.translate(_ESCAPED)
