"""Ways round: payments and transfers that calls can now reach without passing what they passed."""

from collections.abc import Collection, Iterator

from trunkline.diff.change import Edit
from trunkline.diff.phrases import doing, listed, path_of, ticked
from trunkline.diff.side import Side


def route_edits(before: Side, after: Side, told: Collection[str]) -> Iterator[Edit]:
    """A node that every path to a payment or a transfer passed, and now does not; or the reverse.

    `told` are the nodes about which another edit says so already: a new exit, a lost proof.
    """
    for kind, old, new in (("route-opened", before, after), ("route-closed", after, before)):
        for id in new.nodes:
            what = new.leads(id)
            if not what or id in told or id not in old.reachable or id not in new.reachable:
                continue
            skipped = _skipped(id, old, new)
            if not skipped:
                continue
            names = list(skipped)
            subject = f"{ticked(id)}{doing(what)}"
            if kind == "route-opened":
                way = skipped[names[0]]
                yield Edit(
                    kind,
                    f"{subject} can now be reached without passing {listed(names)}: {path_of(way)}",
                    node=id,
                    part="route",
                    before=names,
                    trace=way,
                    circumstances=what,
                )
            else:
                message = f"{subject} can no longer be reached without passing {listed(names)}"
                yield Edit(kind, message, node=id, part="route", after=names, circumstances=what)


def _skipped(node: str, old: Side, new: Side) -> dict[str, tuple[str, ...]]:
    """Nodes that every path passed before and that are still there, each with a way round it."""
    found: dict[str, tuple[str, ...]] = {}
    for passed in old.nodes:
        if passed == node or passed not in new.nodes or passed not in old.reachable:
            continue
        if old.path_round(node, {passed}):
            continue
        way = new.path_round(node, {passed})
        if way:
            found[passed] = way
    return found
