"""Prints a decision that is on record: what was asked, the answer, and what it rested on."""

from collections.abc import Iterator

from trunkline.report.policy import verdict_lines
from trunkline_runtime.policy.clock import instant_text
from trunkline_runtime.policy.on_record import Recorded


def recorded_text(recorded: Recorded) -> str:
    """For a person. The record holds no phone number, so none is shown."""
    return "\n".join(_lines(recorded)) + "\n"


def _lines(recorded: Recorded) -> Iterator[str]:
    answer = "ALLOW" if recorded.verdict.allowed else "DENY"
    yield f"{answer}  {recorded.tenant}, {recorded.purpose}"
    at = instant_text(recorded.at)
    yield f"  {recorded.what} · flow {recorded.flow} · {at} · voice: {recorded.voice}"
    yield f"  call {recorded.call} · decision {recorded.id}"
    yield from verdict_lines(recorded.verdict, recorded.tzdata)
    yield ""
    yield "decided on"
    # A denial that came before the policy was asked names none.
    number = f" ({recorded.policy_sequence})" if recorded.policy_sequence is not None else ""
    yield f"  policy {recorded.policy or 'not asked'}{number}, tzdata {recorded.tzdata}"
    yield from (f"  list {id} {digest}" for id, digest in sorted(recorded.lists.items()))
