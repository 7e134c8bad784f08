"""Drafts a flow: plan, steps, compile, and rounds of repair until no error is left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trunkline.draft.asking import Asking, Spent
from trunkline.draft.assemble import flow_document
from trunkline.draft.compiling import Proposal, Workbench
from trunkline.draft.plan_schema import plan_schema
from trunkline.draft.prompt import prompt
from trunkline.draft.schema_parts import Limits
from trunkline.draft.server import Message
from trunkline.draft.spelling import spell
from trunkline.draft.steps_schema import names_of, steps_schema
from trunkline.draft.todo import comment, with_todos
from trunkline.draft.told import about, as_text, findings_text, in_full, in_short
from trunkline.draft.vocabulary import Vocabulary

MOST_ROUNDS = 3
# The keys of a flow that begin a part of their own: a line is left out before each.
PARTS = ("inputs", "slots", "error", "anywhere", "keys", "answer", "silence", "limits", "nodes")
_APART = (*PARTS, "after_call")

Answer = Mapping[str, Any]


@dataclass(frozen=True)
class Gap:
    """What the call needs and no tool of the tenant does."""

    needs: str
    why: str


@dataclass(frozen=True)
class Drafted:
    """A draft. `proposal` is its text with the findings that remain; `tools` are those it uses.

    `first` are the errors of the first version, before any repair; `rounds` how many repairs were
    asked for. `left_out` are connected tools that the model was not offered.
    """

    proposal: Proposal
    first: int
    rounds: int
    gaps: tuple[Gap, ...]
    tools: tuple[str, ...]
    left_out: tuple[str, ...]
    spent: Spent


@dataclass(frozen=True)
class Version:
    """A plan, its steps, and what the compiler says of the two."""

    plan: Answer
    steps: Answer
    proposal: Proposal


def draft(
    flow: str,
    brief: str,
    words: Vocabulary,
    bench: Workbench,
    asking: Asking,
    rounds: int = MOST_ROUNDS,
    limits: Limits | None = None,
) -> Drafted:
    """The draft of a flow with at most `rounds` rounds of repair; writes nothing.

    Raises FatalError if the model cannot be asked, or gives no answer that can be used.
    """
    drafting = _Drafting(flow, brief, words, bench, asking, limits or Limits())
    best = latest = drafting.version(None)
    first, made = len(best.proposal.errors), 0
    while latest.proposal.errors and made < rounds:
        made += 1
        latest = drafting.version(latest)
        # A repair may make things worse; what is kept is the best of them, the later of equals.
        if len(latest.proposal.errors) <= len(best.proposal.errors):
            best = latest
    gaps = tuple(Gap(each["needs"], each["why"]) for each in best.plan["gaps"])
    return Drafted(
        proposal=_noted(best.proposal, gaps, bench),
        first=first,
        rounds=made,
        gaps=gaps,
        tools=tuple(best.plan.get("tools", ())),
        left_out=words.left_out,
        spent=asking.spent,
    )


@dataclass(frozen=True)
class _Drafting:
    flow: str
    brief: str
    words: Vocabulary
    bench: Workbench
    asking: Asking
    limits: Limits

    def version(self, before: Version | None) -> Version:
        """The first version, or the one that repairs another."""
        known = {**about(self.words), "brief": self.brief}
        plan = self.asking.ask(
            [
                *_asked("plan", {**known, "tools": in_short(self.words.tools)}),
                *(_repair(before.plan, before.proposal) if before else ()),
            ],
            "plan",
            plan_schema(self.words, self.limits),
        )
        tools = names_of(plan, self.words).tools
        steps = self.asking.ask(
            [
                *_asked("steps", {**known, "plan": as_text(plan), "tools": in_full(tools)}),
                *(_repair(before.steps, before.proposal) if before else ()),
            ],
            "steps",
            steps_schema(plan, self.words, self.limits),
        )
        document = flow_document(self.flow, plan, steps, self.words)
        return Version(plan, steps, self.bench.propose(spell(document, _APART)))


def _asked(name: str, values: Mapping[str, str]) -> list[Message]:
    return [
        {"role": "system", "content": prompt("system").filled()},
        {"role": "user", "content": prompt(name).filled(**values)},
    ]


def _repair(answer: Answer, proposal: Proposal) -> list[Message]:
    told = findings_text(proposal.findings, proposal.document)
    return [
        {"role": "assistant", "content": as_text(answer)},
        {"role": "user", "content": prompt("findings").filled(findings=told)},
    ]


def _noted(proposal: Proposal, gaps: Sequence[Gap], bench: Workbench) -> Proposal:
    """The proposal with its errors and gaps as comments, compiled once more: lines have moved."""
    if proposal.document is None or not (proposal.errors or gaps):
        return proposal
    head = [line for gap in gaps for line in comment(f"needs: {gap.needs} ({gap.why})", 0)]
    text = "\n".join([*head, with_todos(proposal.document, proposal.findings)])
    return replace(bench.propose(text), text=text)
