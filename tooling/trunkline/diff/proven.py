"""Proofs lost and gained: which tools can be called without a fact that held there before."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline.diff.change import Edit
from trunkline.diff.phrases import doing, joined, path_of, ticked
from trunkline.diff.side import Side
from trunkline.diff.snapshot import Proofs

Place = tuple[str, str]  # node, tool
_MOST_PLACES = 8


@dataclass(frozen=True)
class Loss:
    """A fact that no longer holds at some places where it held; `places` in the flow's order."""

    fact: str
    places: tuple[Place, ...]


def proof_edits(before: Side, after: Side) -> Iterator[Edit]:
    """One edit for each fact that is proven at fewer, or at more, of the tools than before."""
    if before.proofs is None or after.proofs is None:
        return
    for loss in losses(before.proofs, after.proofs, after):
        node, _ = _worst(loss, after)
        trace = after.proofs.path_without(node, loss.fact)
        yield Edit(
            "proof-lost",
            f"{_tools(loss, after)} can now be called without {after.meaning(loss.fact)}: "
            f"{path_of(trace)}",
            node=node,
            part=f"fact {loss.fact}",
            before=[f"{name} on {id}: proven" for id, name in loss.places],
            after=[f"{name} on {id}: not proven" for id, name in loss.places],
            trace=trace,
        )
    for gain in losses(after.proofs, before.proofs, before):
        node, _ = _worst(gain, before)
        yield Edit(
            "proof-gained",
            f"{_tools(gain, before)} can no longer be called without {before.meaning(gain.fact)}",
            node=node,
            part=f"fact {gain.fact}",
            before=[f"{name} on {id}: not proven" for id, name in gain.places],
            after=[f"{name} on {id}: proven" for id, name in gain.places],
        )


def losses(before: Proofs, after: Proofs, later: Side) -> tuple[Loss, ...]:
    """What is no longer proven, by fact.

    A tool on a node is held against the same node before; on a new node, against what held
    wherever the tool could be called before. A tool that is new in the flow has lost nothing.
    """
    anywhere: dict[str, frozenset[str]] = {}
    for (_, tool), facts in before.at_tools.items():
        anywhere[tool] = anywhere.get(tool, facts) & facts
    lost: dict[str, list[Place]] = {}
    order = {id: index for index, id in enumerate(later.nodes)}
    for place in sorted(after.at_tools, key=lambda place: (order.get(place[0], 0), place[1])):
        held = before.at_tools.get(place, anywhere.get(place[1], frozenset()))
        for fact in held - after.at_tools[place]:
            lost.setdefault(fact, []).append(place)
    return tuple(Loss(fact, tuple(places)) for fact, places in sorted(lost.items()))


def _worst(loss: Loss, side: Side) -> Place:
    """The place to point at: first where the policy requires the fact, and where money moves."""
    return min(loss.places, key=lambda place: _weight(place, loss, side))


def _weight(place: Place, loss: Loss, side: Side) -> tuple[bool, bool]:
    _, tool = place
    return loss.fact not in side.required_facts(tool), "payment" not in side.effects(tool)


def _tools(loss: Loss, side: Side) -> str:
    """Each tool with its node and what it does, the worst first."""
    places = sorted(loss.places, key=lambda place: _weight(place, loss, side))
    named = [
        f"{ticked(tool)} at {ticked(node)}{doing(side.effects(tool))}"
        for node, tool in places[:_MOST_PLACES]
    ]
    more = len(places) - _MOST_PLACES
    return joined([*named, f"{more} more"] if more > 0 else named)
