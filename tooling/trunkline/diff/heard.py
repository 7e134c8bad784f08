"""Disclosures that a call can now get round, whatever node they were spoken on."""

from collections.abc import Collection, Iterator

from trunkline.diff.change import Edit
from trunkline.diff.exits import is_talk
from trunkline.diff.phrases import listed, path_of
from trunkline.diff.side import Side


def heard_edits(before: Side, after: Side, told: Collection[str]) -> Iterator[Edit]:
    """Talk nodes that a call comes to without a disclosure that it always heard before.

    `told` are the disclosures about which another edit says already that they are gone or new.
    """
    for kind, old, new in (
        ("disclosure-skipped", before, after),
        ("disclosure-heard", after, before),
    ):
        unheard: dict[tuple[str, ...], list[str]] = {}
        for name in sorted(_spoken(old) - set(told)):
            if nodes := _unheard(name, old, new):
                unheard.setdefault(tuple(nodes), []).append(name)
        for places, names in unheard.items():
            yield _edit(kind, places, names, new)


def _edit(kind: str, nodes: tuple[str, ...], names: list[str], side: Side) -> Edit:
    if kind == "disclosure-heard":
        message = f"callers can no longer come to {listed(nodes)} without hearing {listed(names)}"
        return Edit(kind, message, part=f"disclosure {names}", before=list(nodes), after=[])
    way = side.path_round(nodes[0], _speaking(names[0], side))
    message = f"callers can now come to {listed(nodes)} without hearing {listed(names)}"
    return Edit(
        kind,
        f"{message}: {path_of(way)}",
        part=f"disclosure {names}",
        before=[],
        after=list(nodes),
        trace=way,
    )


def _unheard(name: str, old: Side, new: Side) -> list[str]:
    """The talk nodes that `new` reaches without the disclosure, and `old` did not.

    A node that `old` lacks counts where every talk node of `old` had heard it.
    """
    before, after = _without(name, old), _without(name, new)
    return [
        id
        for id in after
        if (id in old.reachable and id not in before) or (id not in old.nodes and not before)
    ]


def _without(name: str, side: Side) -> list[str]:
    """The talk nodes that a call can come to without hearing the disclosure there or before."""
    reached = side.paths(_speaking(name, side))
    return [id for id, node in side.nodes.items() if id in reached and is_talk(node)]


def _speaking(name: str, side: Side) -> frozenset[str]:
    return frozenset(id for id, node in side.nodes.items() if name in node.get("speak", ()))


def _spoken(side: Side) -> frozenset[str]:
    return frozenset(name for node in side.nodes.values() for name in node.get("speak", ()))
