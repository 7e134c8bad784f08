"""A gate that is looked at: what it decided about each tool of a call."""

from dataclasses import dataclass, field

from trunkline.scenario.result import Way
from trunkline.scenario.ways import RULE
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.request import ContactRecord, DialRequest, Gate, OptOut, ToolRequest


@dataclass
class WatchedGate:
    """Passes everything on to a gate, and keeps its decisions in order."""

    gate: Gate
    decided: list[tuple[str, Decision]] = field(default_factory=list)

    async def decide(self, request: ToolRequest) -> Decision:
        decision = await self.gate.decide(request)
        self.decided.append((request.tool_id, decision))
        return decision

    async def decide_dial(self, request: DialRequest) -> Decision:
        return await self.gate.decide_dial(request)

    async def settle(self, decision: Decision, ending: Ending, micros: int | None = None) -> None:
        await self.gate.settle(decision, ending, micros)

    async def record_opt_out(self, opt_out: OptOut) -> None:
        await self.gate.record_opt_out(opt_out)

    async def record_contact(self, contact: ContactRecord) -> None:
        await self.gate.record_contact(contact)

    def ways(self) -> set[Way]:
        """Each rule that took part, by whether it had something against the tool."""
        found: set[Way] = set()
        for _, decision in self.decided:
            against = {reason.rule for reason in decision.reasons}
            found |= {(RULE, rule, "denied") for rule in against}
            found |= {(RULE, rule, "allowed") for rule in set(decision.rules) - against}
        return found
