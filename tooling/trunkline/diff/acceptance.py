"""What compliance has accepted: `policy/accepted.yaml`, by fingerprint."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.diff.change import Change
from trunkline.diff.level import Level

PATH = "policy/accepted.yaml"


@dataclass(frozen=True)
class Acceptance:
    """One entry of the list."""

    fingerprint: str
    reason: str
    approver: str


def acceptances(document: Mapping[str, Any]) -> Mapping[str, Acceptance]:
    """Fingerprint → acceptance, of the list as a document that fits its schema."""
    return {
        one["fingerprint"]: Acceptance(one["fingerprint"], one["reason"], one["approver"])
        for one in document.get("accepted", ())
    }


def accepted_of(
    changes: Iterable[Change], known: Mapping[str, Acceptance]
) -> Mapping[str, Acceptance]:
    """The acceptances that fit one of the changes, by fingerprint.

    Only breaking changes are accepted this way: what is risky is weighed in the review itself.
    """
    return {
        change.fingerprint: known[change.fingerprint]
        for change in changes
        if change.level is Level.BREAKING and change.fingerprint in known
    }
