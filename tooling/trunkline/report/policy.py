"""Prints answers of the policy engine: as text for people, as JSON for programs."""

import json
from collections.abc import Iterator, Sequence

from trunkline.policy.list_build import Building, Built
from trunkline.policy.preview import Preview
from trunkline.policy.registry_entries import BadLine
from trunkline.policy.testing import TestResult
from trunkline.report.counting import counted
from trunkline.report.unasked import unasked
from trunkline_runtime.policy.clock import TZDATA_VERSION, instant_text
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.verdict import Verdict

_SHOWN_DIGITS = 4
_SHOWN_BAD_LINES = 20


def why_json(verdict: Verdict) -> str:
    """The decision with every rule that took part (version 1 of this form)."""
    return _dumped(
        {
            "version": 1,
            "decision": "allow" if verdict.allowed else "deny",
            "rules": list(verdict.rules),
            "reasons": [
                {"kind": reason.kind, "rule": reason.rule, "message": reason.message}
                for reason in verdict.reasons
            ],
            "zones": list(verdict.zones),
            "next_allowed": _instant(verdict),
        }
    )


def why_text(question: Question, verdict: Verdict) -> str:
    """The same for a person, with the local times. Numbers are masked."""
    return "\n".join(_why_lines(question, verdict)) + "\n"


def _why_lines(question: Question, verdict: Verdict) -> Iterator[str]:
    what = "dial" if question.dial else ", ".join(sorted(question.effects)) or "no effect"
    numbers = ", ".join(_masked(party.number) for party in question.parties)
    yield f"{'ALLOW' if verdict.allowed else 'DENY'}  {question.tenant}, {question.purpose}"
    yield f"  {what} · {numbers} · {instant_text(question.now)} · voice: {question.voice}"
    yield from verdict_lines(verdict, TZDATA_VERSION)
    if verdict.notes:
        yield ""
        yield "left unset"
        yield from (f"  {note}" for note in verdict.notes)
    yield ""
    yield "not looked at"
    yield from (f"  {line}" for line in unasked(question))


def verdict_lines(verdict: Verdict, tzdata: str) -> Iterator[str]:
    """The reasons, the clocks and the rules of a verdict, for a person."""
    if verdict.reasons:
        yield ""
        yield "because"
        yield from (
            f"  {reason.kind}: {reason.rule}: {reason.message}" for reason in verdict.reasons
        )
        shown = _instant(verdict)
        yield f"  next allowed: {shown or 'never, as far as can be said'}"
    if verdict.local_times:
        yield ""
        yield f"where it may ring (tzdata {tzdata})"
        yield from (f"  {time}  {name}" for name, time in verdict.local_times)
    yield ""
    yield "rules that took part"
    yield from (f"  {rule}" for rule in verdict.rules or ("none",))


def tests_text(results: Sequence[TestResult], untested: Sequence[str]) -> str:
    """Failures with what was expected, the rules that lack a test, and the count."""
    lines: list[str] = []
    for result in results:
        if not result.passed:
            lines.append(f"FAILED  {result.path}: {result.name}")
            lines.extend(f"        {fault}" for fault in result.faults)
    if untested:
        lines.append(f"without both a pass and a deny: {', '.join(untested)}")
    failed = sum(not result.passed for result in results)
    lines.append(f"{len(results) - failed} passed, {failed} failed")
    return "\n".join(lines) + "\n"


def tests_json(results: Sequence[TestResult], untested: Sequence[str]) -> str:
    """Every test with its faults (version 1 of this form)."""
    failed = sum(not result.passed for result in results)
    return _dumped(
        {
            "version": 1,
            "tests": [
                {
                    "path": result.path,
                    "name": result.name,
                    "passed": result.passed,
                    "faults": list(result.faults),
                }
                for result in results
            ],
            "untested": list(untested),
            "summary": {"passed": len(results) - failed, "failed": failed},
        }
    )


def preview_text(found: Preview) -> str:
    """Counts by reason; no number is told."""
    total = counted(found.total, "number")
    lines = [f"{total}: {found.allowed} could be called then"]
    lines.extend(f"  {count:>8}  {kind}: {rule}" for kind, rule, count in found.skipped)
    lines.append("not looked at: kill switches, consents, opt-outs, earlier contacts")
    return "\n".join(lines) + "\n"


def preview_json(found: Preview) -> str:
    """The same for programs (version 1 of this form)."""
    return _dumped(
        {
            "version": 1,
            "total": found.total,
            "allowed": found.allowed,
            "skipped": [
                {"kind": kind, "rule": rule, "count": count} for kind, rule, count in found.skipped
            ],
        }
    )


def bad_lines_text(bad: Sequence[BadLine]) -> str:
    """How many lines are no entry, and the first of them by place. What they say is not shown."""
    lines = [f"{counted(len(bad), 'bad line')}, each no entry of a list"]
    lines.extend(f"  {_place(one)}" for one in bad[:_SHOWN_BAD_LINES])
    if len(bad) > _SHOWN_BAD_LINES:
        lines.append(f"  and {len(bad) - _SHOWN_BAD_LINES} more")
    return "\n".join(lines) + "\n"


def _place(bad: BadLine) -> str:
    column = "" if bad.column is None else f", column {bad.column}"
    return f"{bad.file} line {bad.line}{column}"


def built_text(built: Built, building: Building) -> str:
    """What was built, and what dnc.yaml must say of it."""
    lines = [
        f"{built.path}: {counted(built.count, 'number')} in "
        f"{counted(len(building.blocks), 'area code')}, {built.size} bytes",
        f"  {building.added} added, {building.deleted} deleted",
    ]
    if building.bad:
        lines.append(bad_lines_text(building.bad).rstrip("\n"))
    lines.append("write into policy/dnc.yaml:")
    lines.append(f"  uri: {built.path.name}")
    lines.append(f'  sha256: "{built.digest}"')
    return "\n".join(lines) + "\n"


def built_json(built: Built, building: Building) -> str:
    """The same for programs (version 1 of this form)."""
    return _dumped(
        {
            "version": 1,
            "path": built.path.as_posix(),
            "sha256": built.digest,
            "count": built.count,
            "bytes": built.size,
            "areas": sorted(building.blocks),
            "added": building.added,
            "deleted": building.deleted,
            "bad_lines": [
                {"file": one.file, "line": one.line}
                | ({} if one.column is None else {"column": one.column})
                for one in building.bad
            ],
            "sources": building.sources,
        }
    )


def _instant(verdict: Verdict) -> str | None:
    return instant_text(verdict.next_allowed) if verdict.next_allowed else None


def _masked(number: str) -> str:
    """The country and the beginning of the area code; the rest is hidden."""
    shown = number[: _SHOWN_DIGITS - 1] if number.startswith("+") else ""
    return shown + "•" * (len(number) - len(shown))


def _dumped(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"
