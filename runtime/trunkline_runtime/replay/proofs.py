"""Facts of a recorded call that would not be established, or on other grounds, elsewhere."""

from collections.abc import Iterator

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.replay.difference import Difference
from trunkline_runtime.replay.recorded import Recorded
from trunkline_runtime.table.nodes import ConfirmNode


def differing_proofs(
    recorded: Recorded, release: Release, before: Release | None
) -> Iterator[Difference]:
    """Each fact that held at the end and has lost, or changed, what established it.

    What a tool answered is in no record, so a changed condition on its result is named and not
    worked out.
    """
    for fact, by in sorted(recorded.facts.items()):
        number = _step_of(recorded, fact)
        flow, node = recorded.place(number)
        if _establishes(release, flow, by, fact):
            message = _changed(before, release, by, fact)
        else:
            message = f"{by} does not establish {fact}"
        if message is not None:
            yield Difference(number, flow, node, "fact", message)


def _step_of(recorded: Recorded, fact: str) -> int:
    """The step on which the call stood when the fact was established, for the last time."""
    without = [
        number for number, step in enumerate(recorded.path, start=1) if fact not in step.known.facts
    ]
    return max(without, default=1)


def _establishes(release: Release, flow: str, by: str, fact: str) -> bool:
    if by in release.entries:
        return fact in release.entries[by].establishes
    table = release.tables.get(flow)
    node = table.nodes.get(by) if table is not None else None
    # a scenario may say what is proven; nothing of a release did
    return by == "scenario" or (isinstance(node, ConfirmNode) and fact in node.establishes)


def _changed(before: Release | None, release: Release, by: str, fact: str) -> str | None:
    if before is None or by not in before.entries or by not in release.entries:
        return None
    old, new = before.entries[by], release.entries[by]
    if old.establishes.get(fact) != new.establishes[fact]:
        return (
            f"{by} establishes {fact} if {new.establishes[fact]}, and not if "
            f"{old.establishes.get(fact)}"
        )
    if _grounds(old) != _grounds(new):
        return f"{by} asks for other arguments from the caller, or is about somebody else"
    return None


def _grounds(entry: ToolEntry) -> tuple[object, ...]:
    return tuple(entry.spoken), entry.subject
