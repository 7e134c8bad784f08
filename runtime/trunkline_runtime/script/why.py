"""Why a script no longer fits: the tools that were denied or failed just before, and for what."""

import os
from collections.abc import Iterator

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.masking import masked_text
from trunkline_runtime.tools.connection import variable_missing

_SAID = {
    "denied": "was denied",
    "error": "failed",
    "timeout": "did not answer in time",
    "used_up": "was used up",
    "refused": "was not taken",
}


def failed_before(call: Call, since: int) -> str:
    """What became of the tools from the one of index `since` on that were not done; where all of
    those were, of the last one before them that was not. Empty if no tool failed.
    """
    tools = call.state.tools
    failed = [tool for tool in tools[since:] if tool.outcome in _SAID]
    if not failed:
        failed = [tool for tool in tools[:since] if tool.outcome in _SAID][-1:]
    return "; ".join(dict.fromkeys(_told(call, tool) for tool in failed))


def _told(call: Call, tool: ToolCall) -> str:
    why = "; ".join(_reasons(call, tool))
    text = f"{tool.tool} {_SAID[tool.outcome]}" + (f": {why}" if why else "")
    return masked_text(text, frozenset(call.state.private))


def _reasons(call: Call, tool: ToolCall) -> Iterator[str]:
    entry = call.entries.get(tool.tool)
    if tool.reasons:
        yield from tool.reasons
    elif tool.outcome == "error" and entry is not None and "not set up" in tool.words:
        variable = variable_missing(call.settings, entry.connection, os.environ)
        where = f" in {variable}" if variable else ""
        yield f"no back end is set for {entry.connection}{where}; --sandbox starts one"
    elif tool.outcome != "timeout" and tool.words:
        yield tool.words.rstrip(".")
