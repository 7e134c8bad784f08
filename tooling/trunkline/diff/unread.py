"""Files that one of two revisions cannot read: told as that, and compared no further."""

from collections.abc import Iterator
from dataclasses import replace

from trunkline.diff.change import Cause, Edit
from trunkline.diff.compared import is_judged
from trunkline.diff.phrases import ticked
from trunkline.diff.snapshot import Snapshot

_AREAS = {"catalog": "catalogue", "policy": "policy", "flows": "tenant"}


def unread_edits(base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    """Files, flows aside, that could be read before and now cannot, or the reverse."""
    for path in sorted(base.broken.keys() ^ head.broken.keys()):
        if path.startswith("flows/shared/") or not is_judged(path):
            continue  # told with each flow that uses it; or a test, which decides no call
        lost = path in head.broken
        if path not in (base if lost else head).documents:
            continue  # new, or gone, and never readable: `left_out` names it
        reason = (head if lost else base).broken[path]
        told = "can no longer be read" if lost else "can be read again; all of it counts as new"
        area = path.partition("/")[0]
        yield Edit(
            f"{_AREAS[area]}-{'unreadable' if lost else 'readable'}",
            f"{ticked(path)} {told} ({reason.code})",
            tenant=path.split("/")[1] if area == "flows" else None,
            part=f"file {path} {reason.code}",
            cause=None if area == "flows" else Cause(_AREAS[area], path),
        )


def without_unread(base: Snapshot, head: Snapshot) -> tuple[Snapshot, Snapshot]:
    """Both revisions without the files that either of them cannot read."""
    broken = base.broken.keys() | head.broken.keys()
    if not broken:
        return base, head
    tools = {
        path.rpartition("/")[2].removesuffix(".yaml")
        for path in broken
        if path.startswith("catalog/tools/")
    }
    return _without(base, broken, tools), _without(head, broken, tools)


def _without(side: Snapshot, broken: set[str], tools: set[str]) -> Snapshot:
    return replace(
        side,
        documents={path: one for path, one in side.documents.items() if path not in broken},
        entries={id: entry for id, entry in side.entries.items() if id not in tools},
    )
