"""What a request for a tool asks, worked out before the ledger's turn comes."""

from dataclasses import dataclass, replace

from trunkline_runtime.gate.arguments import (
    against_arguments,
    against_grant,
    against_recipients,
)
from trunkline_runtime.gate.proven import facts_for
from trunkline_runtime.gate.recipients import Recipient, recipients
from trunkline_runtime.gate.request import ToolRequest
from trunkline_runtime.gate.standing_rules import Standing, StandingRules
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.question import Lists, Question
from trunkline_runtime.policy.verdict import Reason, Verdict


@dataclass(frozen=True)
class Asked:
    """A request with all that can be said before the ledger is asked. `own` is what the request
    itself has against it; without it there are the rules that hold and the question to them.
    """

    request: ToolRequest
    reached: tuple[Recipient, ...]
    own: Reason | None
    holds: Standing | None = None
    question: Question | None = None
    verdict: Verdict | None = None

    @property
    def contacted(self) -> tuple[Recipient, ...]:
        entry = self.request.tool
        return self.reached if entry is not None and "contact" in entry.effects else ()

    @property
    def takes(self) -> bool:
        """Whether something is written if it is allowed. A tool that costs nothing, reaches nobody
        and may be repeated takes nothing.
        """
        entry = self.request.tool
        if self.own is not None or entry is None:
            return False
        return bool(self.contacted) or entry.cost is not None or not entry.idempotent


def asked_of(request: ToolRequest, standing: StandingRules, lists: Lists) -> Asked:
    """Raises whatever the policy of the moment raises."""
    reached = recipients(request)
    own = (
        against_grant(request) or against_arguments(request) or against_recipients(request, reached)
    )
    entry = request.tool
    if own is not None or entry is None:
        return Asked(request, reached, own)
    holds = standing.of(request.tenant)
    question = Question(
        tenant=request.tenant,
        purpose=request.purpose,
        now=request.now,
        flow=request.flow,
        node=request.node,
        tool=request.tool_id,
        direction=request.direction,
        voice=request.voice,
        effects=entry.effects,
        subject=request.subject,
        facts=facts_for(request),
        consents=request.consents,
        disclosed=request.disclosed,
        lists=lists,
    )
    asked = Asked(request, reached, None, holds, question)
    if asked.contacted:
        return asked  # what the ledger knows of the people has a say
    return replace(asked, verdict=judge(holds.rules, question))
