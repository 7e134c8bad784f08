"""The ways on from a node or from the whole flow, as a node table has them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trunkline.diff.guards import Guard, guard_of
from trunkline.diff.phrases import quoted

Written = Mapping[str, Any]


@dataclass(frozen=True)
class Exit:
    """One way on. `how` is what leads there: `when`, `then` (no model), `else`, or a fixed way
    such as `key 9`, `silence`, `on_failure`; `written` is the edge where there is one."""

    how: str
    to: str
    written: Written = field(default_factory=dict)

    @property
    def is_edge(self) -> bool:
        """True for what stands in a list of edges; each fixed way exists once."""
        return self.how in ("when", "then", "else")

    @property
    def when(self) -> str:
        """The words by which the model chooses it, or an empty text."""
        return str(self.written.get("when", ""))

    @property
    def guard(self) -> Guard:
        """What must hold before it is taken."""
        return guard_of(self.written)

    @property
    def name(self) -> str:
        """What leads there, in words."""
        if self.how == "when":
            return f"when {quoted(self.when)}"
        if self.how == "then":
            return "without being asked"
        if self.how == "else":
            return "if nothing else holds"
        if self.how.startswith("key "):
            return f"by {self.how}"
        if self.how.startswith("answer "):
            who = self.how.removeprefix("answer ")
            return f"when {_ANSWERED.get(who, who)}"
        return _FIXED.get(self.how, self.how)


_FIXED = {
    "silence": "after silence",
    "limits": "at a limit",
    "error": "when the flow fails",
    "on_failure": "when the transfer fails",
    "on_yes": "on yes",
    "on_no": "on no",
    "on_unclear": "when the answer stays unclear",
    "start": "where the call begins",
}
_ANSWERED = {
    "human": "a person picks up",
    "machine": "a machine picks up",
    "unknown": "nobody can tell who picked up",
}
_OF_NODES = ("on_yes", "on_no", "on_unclear", "on_failure")


def exits_of_node(node: Written) -> tuple[Exit, ...]:
    """The node's own exits, in their order."""
    return (
        *_edges(node.get("edges", ())),
        *(Exit(how, node[how]) for how in _OF_NODES if isinstance(node.get(how), str)),
        *_fixed(node),
    )


def exits_of_flow(table: Written) -> tuple[Exit, ...]:
    """The exits that the flow gives to all its nodes, in their order."""
    return (
        *_edges(table.get("anywhere", ())),
        *_fixed(table),
        *(Exit(f"answer {who}", to) for who, to in table.get("answer", {}).items()),
        *(Exit(how, table[how]) for how in ("error",) if isinstance(table.get(how), str)),
    )


def _edges(written: Any) -> Iterator[Exit]:
    for edge in written:
        silent = "else" if edge.get("else") else "then"
        yield Exit("when" if "when" in edge else silent, edge["to"], edge)


def _fixed(written: Written) -> Iterator[Exit]:
    for key, to in written.get("keys", {}).items():
        yield Exit(f"key {key}", to)
    for how in ("silence", "limits"):
        if "to" in written.get(how, {}):
            yield Exit(how, written[how]["to"])


def is_talk(node: Written) -> bool:
    """True for a node on which the model talks."""
    return bool(node.get("kind", "talk") == "talk")


def ways(table: Written) -> Iterator[tuple[str | None, str, Exit]]:
    """Every way `(from, to, exit)` of a table; from None where the call begins.

    Ways to a node that is not there are left out. Returns of asides lead to each node that the
    aside can be entered from.
    """
    nodes: Mapping[str, Written] = table["nodes"]
    found: list[tuple[str | None, str, Exit]] = [
        (None, table["start"], Exit("start", table["start"]))
    ]
    given = exits_of_flow(table)
    found += [(None, exit.to, exit) for exit in given if exit.how.startswith("answer ")]
    for id, node in nodes.items():
        own = exits_of_node(node)
        found += [(id, exit.to, exit) for exit in own]
        fixed = {exit.how for exit in own if not exit.is_edge}
        found += [
            (id, exit.to, exit)
            for exit in given
            if _holds_at(exit, node) and not (exit.how == "silence" and "silence" in fixed)
        ]
    asides = {id for id, node in nodes.items() if node.get("return")}
    found += [
        (to, source, Exit("back", source))
        for source, to, _ in found
        if to in asides and source is not None and source not in asides
    ]
    return (way for way in found if way[1] in nodes)


def _holds_at(exit: Exit, node: Written) -> bool:
    """True if an exit of the flow is offered at this node."""
    kind = node.get("kind", "talk")
    if exit.how.startswith("answer "):
        return False
    if exit.is_edge or exit.how == "silence":
        return bool(kind == "talk")
    if exit.how.startswith("key "):
        return kind in ("talk", "confirm")
    if exit.how == "limits":
        return kind not in ("end", "link")
    return kind in ("talk", "confirm", "route")
