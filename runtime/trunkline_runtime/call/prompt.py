"""What the model reads on a node: its instructions, what is known, and the dialogue so far.

The chat context of the session keeps everything that was said and called in the whole call. Each
generation gets a copy of it in which the old node's prompt does not occur, only this node's.
"""

import json
from collections.abc import Sequence

from livekit.agents import llm

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect_schema import COLLECT
from trunkline_runtime.call.exits import missing_slots, offered
from trunkline_runtime.call.late import STOP, working
from trunkline_runtime.call.move_to import MOVE_TO
from trunkline_runtime.call.steps import STEP
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import History

# The id under which LiveKit keeps an agent's own instructions in a chat context.
_INSTRUCTIONS = "lk.agent_task.instructions"

_MANNERS = """
You are on the telephone for {company}, in {language}. What you write is spoken: one or two short
sentences, plain words, no lists, no markup, no addresses. You are at one step of a call; do what
the step says and nothing else. Never state as fact what the caller, a tool or this text did not
tell you. Never say the names of tools, steps or slots.
""".strip()


def dialogue(
    call: Call, node: TalkNode, spoken_before: Sequence[llm.ChatItem], words_now: str
) -> llm.ChatContext:
    """The chat context of one generation. `words_now` are fixed words that precede it just now."""
    items = [item for item in spoken_before if _belongs(item)]
    items = _kept(items, node.history)
    context = llm.ChatContext.empty()
    context.add_message(role="system", content=system_text(call, node))
    context.items.extend(items)
    if words_now:
        context.items.append(llm.ChatMessage(role="assistant", content=[words_now]))
    return context


def system_text(call: Call, node: TalkNode) -> str:
    """The prompt of a node."""
    parts = [
        _MANNERS.format(company=call.settings.display_name, language=call.table.language),
        f"The step: {call.words(node.instructions)}" if node.instructions else "",
        _exits(call, node),
        _collecting(call, node),
        _known(call, node),
        _pending(call),
    ]
    return "\n\n".join(part for part in parts if part)


def _exits(call: Call, node: TalkNode) -> str:
    exits = offered(call.table, node)
    if not exits:
        return ""
    lines = [f"- {exit.to}: when {exit.when}" for exit in exits]
    return f"Leave the step with {MOVE_TO}, as soon as one of these is the case:\n" + "\n".join(
        lines
    )


def _collecting(call: Call, node: TalkNode) -> str:
    if not node.collect:
        return ""
    lines = []
    for name in node.collect:
        slot = call.table.slots[name]
        says = [slot.description or name]
        if slot.optional:
            says.append("may be declined")
        if name in call.state.ask_again:
            says.append("ask again, it may have been wrong")
        elif name in call.state.slots:
            says.append("known")
        lines.append(f"- {name}: {', '.join(says)}")
    return (
        f"Hand over what the caller says with {COLLECT}, as they said it, several at once if they "
        "said several, also what they said before this step:\n"
        + "\n".join(lines)
        + "\n"
        + _asking(call, node)
    )


def _asking(call: Call, node: TalkNode) -> str:
    """What to ask for: only what is missing; and what is known is confirmed when all of it is."""
    missing = missing_slots(node, call.state)
    if missing:
        return f"Ask only for what is missing: {', '.join(missing)}. Read nothing back before that."
    return (
        "All of it is known: ask for none of it again. If the step wants it confirmed, read back "
        "what is known and nothing else."
    )


def _known(call: Call, node: TalkNode) -> str:
    state = call.state
    lines = [f"- {name}: {slot.value}" for name, slot in sorted(state.slots.items())]
    lines += [f"- {name}: declined" for name in sorted(state.declined)]
    if node.history is not None and node.history.summary:
        facts = call.pin.release.facts
        lines += [
            f"- {facts.get(name, {}).get('description', name)}" for name in sorted(state.facts)
        ]
    return "Known:\n" + "\n".join(lines) if lines else ""


def _pending(call: Call) -> str:
    lines = [f"- {tool.tool} {json.dumps(dict(tool.args))}" for tool in working(call)]
    if not lines:
        return ""
    return (
        "Being worked on in the background; its result is not there yet and comes by itself. If "
        f"the caller asks, say so; do not answer it yourself. {STOP} ends it:\n" + "\n".join(lines)
    )


def _belongs(item: llm.ChatItem) -> bool:
    """The dialogue, the tools, and what a late result asks for; not the prompts of before."""
    if item.type == "message":
        return item.id != _INSTRUCTIONS
    if item.type in ("function_call", "function_call_output"):
        return item.name != STEP
    return False


def _kept(items: list[llm.ChatItem], history: History | None) -> list[llm.ChatItem]:
    """The last messages of a dialogue, with the calls among them; all without a limit."""
    if history is None or history.keep is None:
        return items
    left = history.keep
    start = len(items)
    for at in range(len(items) - 1, -1, -1):
        if items[at].type == "message":
            if left == 0:
                break
            left -= 1
        start = at
    kept = items[start:] if history.keep else []
    called = {item.call_id for item in kept if item.type == "function_call"}
    return [item for item in kept if item.type != "function_call_output" or item.call_id in called]
