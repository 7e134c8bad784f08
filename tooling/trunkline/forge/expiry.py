"""What runs out by itself: exceptions that end, and lists of numbers that grow too old."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from trunkline_runtime.policy.read_lists import read_lists, read_waivers

SOON = timedelta(days=7)

NoticeKind = Literal["check", "exception", "list", "acceptance", "drift"]
Policy = Mapping[str, Mapping[str, Any]]  # path below policy/ → document


@dataclass(frozen=True)
class Notice:
    """Something that nobody did. `urgent` if it has happened, False if it is about to."""

    kind: NoticeKind
    urgent: bool
    message: str


def exceptions(policy: Policy, now: datetime) -> Iterator[Notice]:
    """The exceptions that have ended, or will within SOON. The day named is the last, in UTC."""
    document = policy.get("exceptions.yaml")
    for waiver in read_waivers(document) if document else ():
        left = waiver.expires - now.astimezone(UTC).date()
        parts = (waiver.tenant, waiver.flow, waiver.node, waiver.tool)
        target = "/".join(part for part in parts if part is not None)
        named = f"the exception from {waiver.rule} for {target}"
        if left < timedelta(0):
            yield Notice("exception", True, f"{named} ended on {waiver.expires}")
        elif left <= SOON:
            yield Notice("exception", False, f"{named} ends on {waiver.expires}")


def lists(policy: Policy, now: datetime) -> Iterator[Notice]:
    """The Do-Not-Call lists that are older than they may be, or will be within SOON.

    One without a date or an age limit denies from the start, and is a finding of `check`.
    """
    document = policy.get("dnc.yaml")
    for one in read_lists(document) if document else ():
        if one.obtained_at is None or one.max_age is None:
            continue
        until = (one.obtained_at + one.max_age).astimezone(UTC)
        when = f"{until:%Y-%m-%d %H:%M} UTC"
        denies = "it denies every call that it applies to; obtain a new copy"
        if until <= now:
            yield Notice("list", True, f"the list {one.id} is too old since {when}: {denies}")
        elif until - now <= SOON:
            yield Notice("list", False, f"the list {one.id} is too old from {when}: then {denies}")
