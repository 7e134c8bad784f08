"""Tools that answer late: the call goes on meanwhile, and the result is told when it is there.

LiveKit lets a tool go on in the background after its first update, rejects a call that is running
already, and asks for a reply when the result has come. Its own words for this speak of tools that
do not exist here, and allow a result to be passed over; these are ours.
"""

from livekit.agents.voice.tool_executor import AsyncToolOptions, ToolHandlingOptions

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

WORKING = (
    "It is being worked on in the background; the result comes by itself. Do not guess it and do "
    "not ask again. Go on with the call."
)


def answers_late(entry: ToolEntry) -> bool:
    """Whether the call goes on while a tool works: subagents, unless the flow must wait."""
    subagent = entry.run.get("subagent")
    return subagent is not None and not subagent.get("blocking", False)
