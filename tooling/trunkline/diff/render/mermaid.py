"""A picture as Mermaid: added, removed and changed parts differ by shape, line and sign."""

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
# What would end a label, or mean something in one. An angle bracket has a sign of its own: some
# renderers turn the entity back first and read HTML then.
_ESCAPED = {ord(sign): f"#{ord(sign)};" for sign in '"#&`%\\{}|$'}
_ESCAPED |= {ord("<"): "‹", ord(">"): "›"}  # noqa: RUF001


def mermaid(picture: Picture) -> str:
    """The source of a flowchart; the same bytes for the same picture."""
    names = {node.id: f"n{index}" for index, node in enumerate(picture.nodes)}
    lines = ["flowchart TD"]
    lines += [f"  {names[node.id]}{_node(node)}" for node in picture.nodes]
    for edge in picture.edges:
        sign = _SIGNS[edge.status]
        label = f'|"{sign}{_label(edge.label)}"|' if edge.label or sign else ""
        lines.append(f"  {names[edge.source]} {_LINES[edge.status]}{label} {names[edge.target]}")
    for status, style in zip(("added", "removed", "changed"), _STYLES, strict=True):
        marked = [names[node.id] for node in picture.nodes if node.status == status]
        if marked:
            lines += [f"  {style}", f"  class {','.join(marked)} {status}"]
    return "\n".join(lines) + "\n"


def _node(node: PictureNode) -> str:
    if node.id in (EVERYWHERE, BEGINNING):
        return f'(("{_label(node.id)}"))'
    opening, closing = _SHAPES[node.status]
    words = f"{_SIGNS[node.status]}{_label(node.id)}"
    if node.line:
        words += f"<br/>{_label(node.line)}"
    if node.on_path:
        words += "<br/>on the path above"
    return f'{opening}"{words}"{closing}'


def _label(text: str) -> str:
    """Text of a flow as a label: one line, cut, and with nothing in it that Mermaid obeys."""
    line = plain(text)
    if len(line) > _LONGEST_LABEL:
        line = line[: _LONGEST_LABEL - 1] + "…"
    return line.translate(_ESCAPED)
