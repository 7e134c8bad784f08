"""Which rules an exception waives at one place of a flow, as the engine says."""

from datetime import UTC, date, datetime, time

from trunkline.graph.analysis import Analysis
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.waivers import waived_rules


def waived_at(
    analysis: Analysis, today: date, node: str | None = None, tool: str | None = None
) -> frozenset[str]:
    """The ids of the rules that do not hold for this node (an inlined id) and tool on that day."""
    rules = analysis.repository.policy.rules
    if not rules.waivers:
        return frozenset()
    question = Question(
        tenant=analysis.inlined.tenant,
        purpose=analysis.inlined.whole.purpose or "",
        now=datetime.combine(today, time(), UTC),
        flow=analysis.inlined.flow.id,
        node=node,
        tool=tool,
    )
    return waived_rules(rules, question, today)
