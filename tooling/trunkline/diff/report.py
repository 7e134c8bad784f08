"""The result of a comparison, with everything that printing it needs."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from trunkline.diff.acceptance import PATH, Acceptance, acceptances, accepted_of
from trunkline.diff.change import Change, FlowId
from trunkline.diff.compare import compare
from trunkline.diff.compared import (
    NOTHING_SAID,
    Compared,
    changed_files,
    flows_in,
    is_judged,
    sorted_files,
    told_name,
)
from trunkline.diff.git_tree import GitTree, resolve
from trunkline.diff.items import Item, items_of
from trunkline.diff.level import Level
from trunkline.diff.load import read_snapshot
from trunkline.diff.mask import masked
from trunkline.diff.narrow import differing, narrowed
from trunkline.diff.picture import Picture
from trunkline.diff.pictures import pictures
from trunkline.diff.snapshot import Gap, Snapshot
from trunkline.source.tree import Tree, WorkingTree

WORKING_TREE = "working tree"


@dataclass(frozen=True)
class LeftOut:
    """A flow or a file that was compared in part or not at all, and why; in which revision."""

    what: str
    revision: str  # base | head
    whole: bool
    reason: str


@dataclass(frozen=True)
class Report:
    """`base` and `head` name the revisions; `accepted` fits changes by fingerprint."""

    base: str
    head: str
    changes: tuple[Change, ...]
    accepted: Mapping[str, Acceptance] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    pictures: tuple[Picture, ...] = ()
    compared: Compared = NOTHING_SAID

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The changes, each cause with its effects, the worst first."""
        return items_of(self.changes)

    def is_accepted(self, change: Change) -> bool:
        """True if compliance has accepted this very change."""
        return change.fingerprint in self.accepted

    def counted(self) -> Mapping[Level, int]:
        """Level → how many changes there are, accepted ones left out."""
        return Counter(change.level for change in self.changes if not self.is_accepted(change))

    def items_counted(self) -> Mapping[Level, int]:
        """Level → how many causes there are, by the worst that is not accepted in each."""
        worst = (item.worst(self.accepted) for item in self.items)
        return Counter(change.level for change in worst if not self.is_accepted(change))

    def reaches(self, level: Level) -> bool:
        """True if a change that is not accepted is of this level or worse."""
        return any(count and found >= level for found, count in self.counted().items())

    def flows(self) -> frozenset[FlowId]:
        """Every flow that a change reaches."""
        return frozenset(flow for change in self.changes for flow in change.affects)


def compare_revisions(root: Path, base: str, head: str | None) -> Report:
    """Compares two revisions of the repository at `root`; the head is the working tree if None.

    Git's objects are read as they are: nothing is checked out and no file is touched. Raises
    FatalError for a revision that is not there, or that holds no flows.
    """
    base_commit = resolve(root, base)
    head_commit = WORKING_TREE if head is None else resolve(root, head)
    later: Tree = WorkingTree(root) if head is None else GitTree(root, head_commit)
    earlier = GitTree(root, base_commit)
    trees = narrowed(earlier, later)
    before, after = (read_snapshot(tree) for tree in trees)
    # Asked about the working tree, git would run whatever filters a repository configures.
    changed = (
        differing(earlier, later) if head is None else changed_files(root, base_commit, head_commit)
    )
    judged, others = sorted_files(changed)
    compared = Compared(
        base_name=told_name(base, base_commit),
        head_name="" if head is None else told_name(head, head_commit),
        flows=flows_in([*earlier.paths(), *later.paths()]),
        judged=judged,
        others=others,
    )
    return report_of(before, after, base_commit, head_commit, compared)


def report_of(
    before: Snapshot, after: Snapshot, base: str, head: str, compared: Compared = NOTHING_SAID
) -> Report:
    """The report on two snapshots, under the names of their revisions."""
    changes = compare(before, after)
    known = acceptances(after.document(PATH))
    return Report(
        base=base,
        head=head,
        changes=changes,
        accepted=accepted_of(changes, known),
        left_out=(*_left_out(before, "base"), *_left_out(after, "head")),
        pictures=pictures(before, after, changes),
        compared=replace(compared, directions=_directions(before, after, changes)),
    )


def _directions(
    before: Snapshot, after: Snapshot, changes: Iterable[Change]
) -> tuple[tuple[FlowId, str], ...]:
    """Which way the calls of each flow go that a change reaches."""
    tables = {**before.tables, **after.tables}
    reached = sorted({flow for change in changes for flow in change.affects})
    return tuple((id, str(tables[id].get("direction", ""))) for id in reached if id in tables)


def _left_out(side: Snapshot, revision: str) -> tuple[LeftOut, ...]:
    found: list[tuple[str, bool, Gap]] = [
        *((f"{tenant}/{flow}", True, gap) for (tenant, flow), gap in side.unreadable.items()),
        *((path, True, gap) for path, gap in side.broken.items() if is_judged(path)),
        *((f"{tenant}/{flow}", False, gap) for (tenant, flow), gap in side.partial.items()),
    ]
    return tuple(
        LeftOut(what, revision, whole, masked(str(gap)))
        for what, whole, gap in sorted(found, key=lambda one: (not one[1], one[0]))
    )
