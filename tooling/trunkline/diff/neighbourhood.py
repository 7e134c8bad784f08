"""The changed neighbourhood of a flow: what changed in its shape, and what stands beside that."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

from trunkline.diff.change import FlowId
from trunkline.diff.exits import Exit, Written, exits_of_flow, exits_of_node, is_talk
from trunkline.diff.guards import guard_label
from trunkline.diff.mask import masked
from trunkline.diff.pairing import pair
from trunkline.diff.picture import (
    BEGINNING,
    EVERYWHERE,
    Picture,
    PictureEdge,
    PictureNode,
    Status,
)
from trunkline.diff.renames import renamed_nodes, with_nodes_renamed

# A reader takes in no more, and GitHub draws no more than 500 edges.
MOST_NODES = 60
MOST_EDGES = 200

Step = tuple[str, str]
# Words are shown as words, and exits as ways.
_ASIDE = frozenset(
    {"say", "say_again", "instructions", "speak", "edges", "keys", "silence", "history"}
)


def neighbourhood(
    id: FlowId, before: Written, after: Written, opened: Collection[Step]
) -> Picture | None:
    """The picture of one flow; None if its shape is the same.

    `opened` are the steps of paths that opened: they are in the picture whatever else is.
    """
    before = with_nodes_renamed(before, renamed_nodes(before, after))
    nodes = {**before["nodes"], **after["nodes"]}
    status = {name: _status(name, before, after) for name in nodes}
    edges = tuple(_edges(before, after))
    moved = [edge for edge in edges if edge.status != "same"]
    other = {name for name in nodes if _does_otherwise(name, before, after)}
    seeds = other | {name for edge in moved for name in (edge.source, edge.target)}
    passed = {name for step in opened for name in step}
    if not seeds and not passed:
        return None
    known = [BEGINNING, EVERYWHERE, *nodes]
    order = _in_order(known, seeds, passed, _beside(edges, other))
    chosen = set(order[:MOST_NODES])
    drawn = [
        edge
        for edge in edges
        if edge.source in chosen
        and edge.target in chosen
        and (edge.status != "same" or _is_context(edge, seeds | passed, other))
    ]
    drawn = sorted(drawn, key=lambda edge: edge.status == "same")[:MOST_EDGES]
    cut = Counter(edge.source for edge in edges if edge.status != "removed")
    cut.subtract(edge.source for edge in drawn if edge.status != "removed")
    return Picture(
        *id,
        nodes=tuple(
            PictureNode(
                name,
                status.get(name, "same"),
                _line(name, before, after),
                name in passed,
                cut[name],
            )
            for name in known
            if name in chosen
        ),
        edges=tuple(replace(edge, on_path=(edge.source, edge.target) in opened) for edge in drawn),
        left_out=len(seeds - chosen),
    )


def _is_context(edge: PictureEdge, drawn: Collection[str], other: Collection[str]) -> bool:
    """True for a way that stayed and explains what did not; the others are in the way."""
    ends = (edge.source, edge.target)
    return all(end in drawn for end in ends) or any(end in other for end in ends)


def _does_otherwise(name: str, before: Written, after: Written) -> bool:
    """True for a node that is new, gone, or does something else; its words and exits aside."""
    old, new = before["nodes"].get(name), after["nodes"].get(name)
    if old is None or new is None:
        return True
    return any(old.get(key) != new.get(key) for key in (old.keys() | new.keys()) - _ASIDE)


def _in_order(known: Collection[str], *groups: Collection[str]) -> list[str]:
    """The names of the groups, group by group, each once and in the order of the flow."""
    found: dict[str, None] = {}
    for group in groups:
        found |= {name: None for name in known if name in group}
    return list(found)


def _beside(edges: Collection[PictureEdge], seeds: Collection[str]) -> set[str]:
    touching = [edge for edge in edges if edge.source in seeds or edge.target in seeds]
    return {name for edge in touching for name in (edge.source, edge.target)}


def _status(name: str, before: Written, after: Written) -> Status:
    old, new = before["nodes"].get(name), after["nodes"].get(name)
    if old is None:
        return "added"
    if new is None:
        return "removed"
    return "same" if old == new else "changed"


def _edges(before: Written, after: Written) -> Iterator[PictureEdge]:
    """Every written way of both versions; those of the whole flow only if they changed."""
    for id in dict.fromkeys([*before["nodes"], *after["nodes"]]):
        old, new = before["nodes"].get(id, {}), after["nodes"].get(id, {})
        yield from _ways(id, exits_of_node(old), exits_of_node(new))
    for way in _ways(EVERYWHERE, exits_of_flow(before), exits_of_flow(after)):
        if way.status != "same":
            yield way
    if before["start"] != after["start"]:
        yield PictureEdge(BEGINNING, before["start"], "removed")
        yield PictureEdge(BEGINNING, after["start"], "added")


def _ways(id: str, old: tuple[Exit, ...], new: tuple[Exit, ...]) -> Iterator[PictureEdge]:
    pairing = pair(old, new)
    for was, now in pairing.pairs:
        if was.to != now.to:
            yield PictureEdge(id, was.to, "removed", _label(was))
            yield PictureEdge(id, now.to, "added", _label(now))
        else:
            same = was.written == now.written
            label = _label(now) if same else _changed_label(was, now)
            yield PictureEdge(id, now.to, "same" if same else "changed", label)
    for gone in pairing.removed:
        yield PictureEdge(id, gone.to, "removed", _label(gone))
    for come in pairing.added:
        yield PictureEdge(id, come.to, "added", _label(come))


def _label(exit: Exit) -> str:
    guard = f"[{guard_label(exit.guard)}]" if exit.guard else ""
    return masked(f"{_words(exit)} {guard}".strip())


def _changed_label(was: Exit, now: Exit) -> str:
    """The same, with what came and what went of the guard."""
    parts = [
        f"{sign}{guard_label(guard)}"
        for sign, guard in (
            ("", was.guard & now.guard),
            ("−", was.guard - now.guard),  # noqa: RUF001
            ("+", now.guard - was.guard),
        )
        if guard
    ]
    guard = f"[{', '.join(parts)}]" if parts else ""
    return masked(f"{_words(now)} {guard}".strip())


def _words(exit: Exit) -> str:
    return exit.when or ("" if exit.how == "then" else exit.name)


def _line(name: str, before: Written, after: Written) -> str:
    """What a node is, in a few words: its kind, its outcome, its tools and what became of them."""
    old, new = before["nodes"].get(name), after["nodes"].get(name)
    node = new or old
    if node is None:
        return ""
    kind = "" if is_talk(node) else str(node.get("kind", ""))
    was, now = _tools(old), _tools(new)
    signs = {name: "+" if name not in was else "−" for name in {*was, *now}}  # noqa: RUF001
    both = old is not None and new is not None
    tools = [
        f"{signs[name]}{name}" if both and (name in was) != (name in now) else name
        for name in dict.fromkeys([*now, *was])
    ]
    parts = (kind, str(node.get("outcome", "")), ", ".join(tools))
    return ": ".join(part for part in parts if part)


def _tools(node: Written | None) -> list[str]:
    return [str(use["id"]) for use in (node or {}).get("tools", ())]
