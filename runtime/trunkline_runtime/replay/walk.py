"""Walks a recorded call through another release, decision by decision.

Each decision is judged as it stood in the record: after one that would go differently the rest is
still looked at, as if the call had gone on as it did.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_runtime.call.path import Step
from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.replay import moves, tool_calls
from trunkline_runtime.replay.difference import Difference, Kind
from trunkline_runtime.replay.proofs import differing_proofs
from trunkline_runtime.replay.recalled import Recalled
from trunkline_runtime.replay.recorded import Recorded
from trunkline_runtime.replay.refused import granted_now
from trunkline_runtime.replay.words import changed_words, number_of
from trunkline_runtime.table.nodes import EndNode, TalkNode


@dataclass(frozen=True)
class Walk:
    """A record, the release that it is put to, and, if it is still to be had, the one it ran on."""

    recorded: Recorded
    release: Release
    policy: PolicySnapshot
    before: Release | None

    def differences(self) -> list[Difference]:
        """Everything that would go differently, in the order of the call."""
        found = [
            *self._moves(),
            *self._refusals(),
            *self._tools(),
            *differing_proofs(self.recorded, self.release, self.before),
            *self._words(),
        ]
        return sorted(found, key=lambda difference: difference.step)

    def _moves(self) -> Iterator[Difference]:
        flow = self.recorded.flow
        if not self.recorded.path and flow and flow not in self.release.tables:
            message = f"{self.release.tenant} {self.release.tag} has no flow {flow}"
            yield Difference(1, flow, "", "flow", message)
        host: str | None = None
        for number, step in enumerate(self.recorded.path, start=1):
            before = self.recorded.path[number - 2] if number > 1 else None
            if step.reason.cause == "resume":
                continue
            found = list(self._entered(number, step))
            if before is None:
                found += self._begun(step)
            else:
                found += self._moved(before, step, host)
            yield from (_at(number, before or step, kind, message) for kind, message in found)
            host = self._host(host, before, step)

    def _entered(self, number: int, step: Step) -> Iterator[tuple[Kind, str]]:
        table = self.release.tables.get(step.flow)
        if table is None:
            yield "flow", f"{self.release.tenant} {self.release.tag} has no flow {step.flow}"
            return
        if not step.node:
            return
        node = table.nodes.get(step.node)
        if node is None:
            yield "node", f"{step.flow} has no node {step.node} any more"
            return
        own = node.limits if isinstance(node, TalkNode) else None
        allowed = own.max_visits if own is not None else table.limits.max_visits
        times = sum(
            (each.flow, each.node) == (step.flow, step.node) and each.reason.cause != "resume"
            for each in self.recorded.path[:number]
        )
        if times > allowed:
            yield "limit", f"{step.node} may be entered {allowed} times, and this is one more"
        last = number == len(self.recorded.path)
        if last and isinstance(node, EndNode) and node.outcome != self.recorded.outcome:
            yield "outcome", f"the outcome is {node.outcome} and not {self.recorded.outcome}"

    def _begun(self, step: Step) -> Iterator[tuple[Kind, str]]:
        table = self.release.tables.get(step.flow)
        if table is None or step.reason.words == "as the scenario says":
            return
        answered = self.recorded.answered_by or ""
        to = table.answer.get(answered, table.start)
        if to != step.node:
            yield "exit", f"the call begins at {to} and not at {step.node}"

    def _moved(self, before: Step, step: Step, host: str | None) -> Iterator[tuple[Kind, str]]:
        table = self.release.tables.get(before.flow)
        node = table.nodes.get(before.node) if table is not None else None
        if node is None or step.flow not in self.release.tables:
            return  # said where it was entered
        if step.node and step.node not in self.release.tables[step.flow].nodes:
            return
        recalled = Recalled.of(self.release, before.flow, before.node, step.known)
        yield from moves.differs(moves.Before(self.release, node, step, recalled, host))

    def _host(self, host: str | None, before: Step | None, step: Step) -> str | None:
        """The node that an aside was entered from: the last one that was no aside."""
        table = self.release.tables.get(step.flow)
        node = table.nodes.get(step.node) if table is not None else None
        if not (isinstance(node, TalkNode) and node.aside) or before is None:
            return None
        return host or before.node

    def _refusals(self) -> Iterator[Difference]:
        for refusal in self.recorded.refused:
            number = self.recorded.step_of_refusal(refusal)
            flow, _ = self.recorded.place(number)
            table = self.release.tables.get(flow)
            node = table.nodes.get(refusal.node) if table is not None else None
            if not isinstance(node, TalkNode):
                continue
            recalled = Recalled.of(self.release, flow, refusal.node, refusal.known)
            for kind, message in granted_now(recalled, node, refusal):
                yield Difference(number, flow, refusal.node, kind, message)

    def _tools(self) -> Iterator[Difference]:
        rules = with_tenant(
            rules_from(self.policy.documents), self.release.tenant, self.release.settings.policy
        )
        for tool in self.recorded.tools:
            number = self.recorded.step_of_visit(tool.visit)
            flow, _ = self.recorded.place(number)
            if flow not in self.release.tables:
                continue
            recalled = Recalled.of(self.release, flow, tool.node, tool.known)
            found = tool_calls.differs(self.release, rules, self.recorded, tool, recalled)
            for kind, message in found:
                yield Difference(number, flow, tool.node, kind, message)

    def _words(self) -> Iterator[Difference]:
        if self.before is None:
            return
        seen: set[tuple[str, str]] = set()
        for number, step in enumerate(self.recorded.path, start=1):
            here = step.flow, step.node
            if here in seen or not step.node:
                continue
            seen.add(here)
            yield from self._number(number, step)
            for _, message in changed_words(self.before, self.release, *here):
                yield Difference(number, *here, "words", message)

    def _number(self, number: int, step: Step) -> Iterator[Difference]:
        assert self.before is not None
        was = number_of(self.before, step.flow, step.node)
        now = number_of(self.release, step.flow, step.node)
        if was is None or now is None:
            return
        old, new = self.before.settings.numbers, self.release.settings.numbers
        if was != now:
            message = f"the transfer goes to {now} and not to {was}"
        elif any(old.get(name) != new.get(name) for name in was.split(", ")):
            message = f"the number named {was} is another one"
        else:
            return
        yield Difference(number, step.flow, step.node, "number", message)


def _at(number: int, step: Step, kind: Kind, message: str) -> Difference:
    return Difference(number, step.flow, step.node, kind, message)
