"""The verdict: one line that says how much changes in calls, and where."""

from trunkline.diff.level import Level
from trunkline.diff.report import Report

NO_CHANGE = "No change in calls"


def verdict(report: Report) -> str:
    """The line, without an end: `2 breaking and 1 risky change in 3 flows of 2 tenants`."""
    gaps = len({one.what for one in report.left_out})
    unsure = f"; {_plural(gaps, 'file or flow')} could not be compared in full" if gaps else ""
    if not report.changes:
        return f"{NO_CHANGE}{' as far as it can be seen' if gaps else ''}{unsure}"
    counted = report.counted()
    parts = [f"{counted[level]} {_WORDS[level]}" for level in reversed(Level) if counted.get(level)]
    if report.accepted:
        parts.append(f"{len(report.accepted)} breaking but accepted")
    total = len(report.changes)
    return f"{_joined(parts)} change{'s' * (total != 1)} in calls{_where(report)}{unsure}"


def level_word(report: Report) -> str:
    """The worst level that is not accepted; `accepted`, or `none` where nothing changes."""
    counted = report.counted()
    worst = max((level for level in counted if counted[level]), default=None)
    if worst is not None:
        return worst.word
    return "accepted" if report.changes else "none"


_WORDS = {Level.BREAKING: "breaking", Level.RISKY: "risky", Level.INFO: "harmless"}


def _where(report: Report) -> str:
    flows = report.flows()
    if not flows:
        return ""
    tenants = {tenant for tenant, _ in flows}
    if len(flows) == 1:
        tenant, flow = next(iter(flows))
        return f" of {tenant}/{flow}"
    return f", in {len(flows)} flows of {_plural(len(tenants), 'tenant')}"


def _joined(parts: list[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]


def _plural(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"
