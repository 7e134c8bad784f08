"""One answer of an operator becomes a change of one node: proposed and compiled, not yet kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.draft.asking import Asking
from trunkline.draft.brief import brief_of
from trunkline.draft.compiling import Proposal, Workbench
from trunkline.draft.drafting import Gap
from trunkline.draft.merging import merged
from trunkline.draft.node_edit import with_node
from trunkline.draft.prompt import prompt
from trunkline.draft.questions import Question
from trunkline.draft.schema_parts import Limits, closed, listed, text
from trunkline.draft.server import Message
from trunkline.draft.spelling import spell_pair
from trunkline.draft.step_schema import Names, definitions, step_schema
from trunkline.draft.told import about, as_text, findings_text, in_full
from trunkline.draft.tool_choice import MOST_TOOLS, needed_tools
from trunkline.draft.vocabulary import vocabulary

MOST_REPAIRS = 1


@dataclass(frozen=True)
class Change:
    """What an answer would change. `worse` is true if the flow then has errors that it had not."""

    before: Proposal
    after: Proposal
    gaps: tuple[Gap, ...]

    @property
    def is_one(self) -> bool:
        return self.before.text != self.after.text

    @property
    def worse(self) -> bool:
        return len(self.after.errors) > len(self.before.errors)


def change_of(
    question: Question, answer: str, before: Proposal, bench: Workbench, asking: Asking
) -> Change:
    """The change that an answer asks for; writes nothing.

    Findings that are new go back to the model once. Raises FatalError as asking does.
    """
    assert before.document is not None
    data = before.document.data
    node: Mapping[str, Any] = data["nodes"][question.node]
    kind = node.get("kind", "talk")
    tenant = before.document.folder
    words = vocabulary(bench.repository, tenant, answer, most_tools=10_000)
    own = [use if isinstance(use, str) else use["id"] for use in node.get("tools", ())]
    chosen = needed_tools(words.tools, f"{question.text} {answer}", {}, MOST_TOOLS)
    tools = tuple(t for t in words.tools if t.id in own or t in chosen)
    names = Names(
        tuple(data["nodes"]), tuple(data.get("slots", ())), tuple(data.get("inputs", ())), tools
    )
    limits = Limits()
    step = step_schema(kind, words, names, limits)
    gap = closed({"needs": text(200), "why": text(200)})
    schema = {
        **closed({"step": step, "gaps": listed(gap, 4)}),
        "$defs": definitions(words, names, limits),
    }
    known = about(words)
    messages: list[Message] = [
        {"role": "system", "content": prompt("system").filled()},
        {
            "role": "user",
            "content": prompt("interview").filled(
                steps=", ".join(names.steps),
                node=question.node,
                step=spell_pair(question.node, dict(node), 0),
                tools=in_full(tools),
                facts=known["facts"],
                question=question.text,
                brief=brief_of(answer),
            ),
        },
    ]
    conversation = messages
    for attempt in range(MOST_REPAIRS + 1):
        answered = asking.ask(conversation, "step", schema)
        new = merged(node, kind, answered["step"], step)
        after = bench.propose(with_node(before.document, question.node, new))
        gaps = tuple(Gap(each["needs"], each["why"]) for each in answered["gaps"])
        change = Change(before, after, gaps)
        if not change.worse or attempt == MOST_REPAIRS:
            break
        told = findings_text(after.errors, after.document)
        conversation = [
            *messages,
            {"role": "assistant", "content": as_text(answered)},
            {"role": "user", "content": prompt("findings").filled(findings=told)},
        ]
    return change
