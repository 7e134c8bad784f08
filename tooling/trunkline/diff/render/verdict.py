"""The verdict: one line that says how much changes in calls, and where."""

from trunkline.diff.level import Level
from trunkline.diff.phrases import joined, plural
from trunkline.diff.report import Report

NO_CHANGE = "No change in calls"


def verdict(report: Report) -> str:
    """The line, without an end: `2 breaking and 1 risky change in 3 flows of 2 tenants`.

    What one cause brings about counts once, by the worst of it.
    """
    gaps = len({one.what for one in report.left_out})
    unsure = f"; {plural(gaps, 'file or flow')} could not be compared in full" if gaps else ""
    if not report.changes:
        return f"{NO_CHANGE}{' as far as it can be seen' if gaps else ''}{unsure}"
    counted = report.items_counted()
    numbers = [(counted[level], _WORDS[level]) for level in reversed(Level) if counted.get(level)]
    if report.accepted:
        numbers.append((len(report.accepted), "breaking but accepted"))
    told = joined([f"{number} {word}" for number, word in numbers])
    last, _ = numbers[-1]
    return f"{told} change{'s' * (last != 1)} in calls{_where(report)}{unsure}"


def level_word(report: Report) -> str:
    """The worst level that is not accepted; `accepted`, or `none` where nothing changes."""
    counted = report.items_counted()
    worst = max((level for level in counted if counted[level]), default=None)
    if worst is not None:
        return worst.word
    return "accepted" if report.changes else "none"


_WORDS = {Level.BREAKING: "breaking", Level.RISKY: "risky", Level.INFO: "minor"}


def _where(report: Report) -> str:
    """The flows of all changes; nothing where the only item says it itself."""
    flows = report.flows()
    if not flows or (len(report.items) == 1 and len(report.items[0].lead.affects) > 1):
        return ""
    tenants = {tenant for tenant, _ in flows}
    if len(flows) == 1:
        tenant, flow = next(iter(flows))
        return f" of {tenant}/{flow}"
    return f", in {len(flows)} flows of {plural(len(tenants), 'tenant')}"
