"""Tools that answer late: the call goes on meanwhile, and the result is told when it is there.

LiveKit lets a tool go on in the background after its first update, rejects a call that is running
already, and asks for a reply when the result has come. Its own words for this speak of tools that
do not exist here, and allow a result to be passed over; these are ours.

Nobody answers early. When such a tool begins, its entry's `filler` is spoken in place of a reply
of the model, which could only guess; and as long as it works, the model's prompt says so.
"""

from collections.abc import Sequence
from typing import Any

from livekit.agents.voice.tool_executor import AsyncToolOptions, ToolHandlingOptions

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.catalogue.entry import ToolEntry

# How the request for a late result's reply begins: a scripted model knows it by these words.
LATE = "A result that you were waiting for has come"

_OPTIONS: AsyncToolOptions = {
    "update_template": "{message}",
    "duplicate_reject_template": (
        "{function_name} is already working on exactly this. Wait for its result."
    ),
    "reply_at_tail_template": f"{LATE} (call {{call_ids}}). Tell the caller now, in a few words.",
    "reply_maybe_covered_template": (
        f"{LATE} (call {{call_ids}}). Tell the caller now, in a few words, also if you spoke of it "
        "before it was there."
    ),
}
TOOL_HANDLING: ToolHandlingOptions = {"async_options": _OPTIONS}

# The tool by which the model stops another. LiveKit keeps names that begin with `lk_` to itself, so
# no tool of a catalogue has this one.
STOP = "lk_stop"

WORKING = (
    "It is being worked on in the background; the result comes by itself. Do not guess it and do "
    "not ask again. Go on with the call."
)


def answers_late(entry: ToolEntry) -> bool:
    """Whether the call goes on while a tool works: subagents, unless the flow must wait."""
    subagent = entry.run.get("subagent")
    return subagent is not None and not subagent.get("blocking", False)


def working(call: Call) -> Sequence[ToolCall]:
    """The tools of a call that work in the background now, the newest last."""
    entries = call.entries
    return [
        tool
        for tool in call.state.tools
        if tool.outcome == "running" and tool.tool in entries and answers_late(entries[tool.tool])
    ]


def filler(call: Call) -> str | None:
    """The words to say while a tool works: the first that were not said yet, then the last.

    None while none works, or if its entry has no words for it.
    """
    for tool in reversed(working(call)):
        words: Sequence[str] = call.entries[tool.tool].run["subagent"].get("filler", ())
        since = {said.words for said in call.state.history if said.at >= tool.at}
        left = [text for text in words if text not in since]
        if words:
            return left[0] if left else words[-1]
    return None


def stop_schema(running: Sequence[str]) -> dict[str, Any]:
    """The parameters of `lk_stop` while these tools work."""
    return {
        "type": "object",
        "properties": {"tool": {"type": "string", "enum": list(running)}},
        "required": ["tool"],
        "additionalProperties": False,
    }
