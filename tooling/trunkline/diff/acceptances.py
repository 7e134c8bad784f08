"""What compliance accepts, in two revisions: told as changes, because compliance reviews them."""

from collections.abc import Collection, Iterator, Mapping

from trunkline.diff.acceptance import PATH, Acceptance
from trunkline.diff.change import Cause, Edit

_SHORT = 12  # digits of a fingerprint


def acceptance_edits(
    before: Mapping[str, Acceptance], after: Mapping[str, Acceptance], here: Collection[str]
) -> Iterator[Edit]:
    """The differences between two lists; `here` are the fingerprints of what else changes."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        short = f"`{name[:_SHORT]}`"
        if old is None:
            kind, told = "acceptance-added", f"compliance is to accept the breaking change {short}"
            told += "" if name in here else ", which is none of the changes here"
        elif new is None:
            kind, told = "acceptance-removed", f"the breaking change {short} is no longer accepted"
        else:
            kind = "acceptance-changed"
            told = f"the acceptance of {short} has another reason or approver"
        yield Edit(
            kind,
            told,
            part=f"acceptance {name}",
            before=_document(old),
            after=_document(new),
            circumstances=frozenset(() if name in here else ("unmatched",)),
            cause=Cause("policy", PATH),
        )


def _document(one: Acceptance | None) -> dict[str, str] | None:
    return None if one is None else {"reason": one.reason, "approver": one.approver}
