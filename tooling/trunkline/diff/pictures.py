"""Which flows are drawn: those whose shape changed worst, and one of those that are alike."""

from collections.abc import Iterable
from dataclasses import replace

from trunkline.diff.change import Change, FlowId
from trunkline.diff.flow_names import flow_names
from trunkline.diff.neighbourhood import Step, neighbourhood
from trunkline.diff.picture import Picture
from trunkline.diff.snapshot import Snapshot

MOST_PICTURES = 3
# What has a place in a picture; words are shown as words.
_DRAWN = frozenset({"node", "edge", "tool", "fact", "flow"})


def pictures(base: Snapshot, head: Snapshot, changes: Iterable[Change]) -> tuple[Picture, ...]:
    """The pictures of a comparison, at most MOST_PICTURES."""
    old_names = {new: old for old, new in flow_names(base, head).items()}
    found: dict[tuple[object, ...], Picture] = {}
    for id, opened in _drawn(changes).items():
        old = old_names.get(id, id)
        if id not in head.tables or old not in base.tables:
            continue
        picture = neighbourhood(id, base.tables[old], head.tables[id], opened)
        if picture is None:
            continue
        key = (picture.nodes, picture.edges)
        if key in found:
            found[key] = replace(found[key], alike=(*found[key].alike, id))
        elif len(found) < MOST_PICTURES:
            found[key] = picture
    return tuple(found.values())


def _drawn(changes: Iterable[Change]) -> dict[FlowId, set[Step]]:
    """The flows whose shape changed, the worst first, with the steps of paths that opened."""
    flows: dict[FlowId, set[Step]] = {}
    for change in changes:
        if change.area in _DRAWN:
            steps = set(zip(change.trace, change.trace[1:], strict=False))
            for flow in change.affects:
                flows.setdefault(flow, set()).update(steps)
    return flows
