"""Prints a text call as it goes: what is said, where the call goes and why, what the gate decides.

The words are the call itself and stand as they were said; arguments of tools are shown as the
record has them, with private ones blacked out.
"""

import json
from collections.abc import Mapping
from typing import Any, TextIO

import click

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import Said, ToolCall
from trunkline_runtime.call.path import Refusal, Step
from trunkline_runtime.call.record import record_of

_NAMES = {"caller": "caller", "agent": "agent", "human": "human"}


class Transcript:
    """Prints what is new in a call each time that it is told that something changed."""

    def __init__(self, call: Call, out: TextIO) -> None:
        self._call = call
        self._out = out
        self._said = self._steps = self._refused = 0
        self._tools: set[int] = set()
        self._seen_enough = False

    def changed(self) -> None:
        """Prints everything that has been added since the last time, the oldest kind first."""
        state = self._call.state
        for said in state.history[self._said :]:
            self.say(_line(said))
        self._said = len(state.history)
        for index, tool in enumerate(state.tools):
            if tool.outcome != "running" and index not in self._tools:
                self._tools.add(index)
                self.say(_tool_line(self._call, tool, index))
        for refusal in state.refusals[self._refused :]:
            self.say(_refusal_line(refusal))
        self._refused = len(state.refusals)
        for step in state.path[self._steps :]:
            self.say(_step_line(step))
        self._steps = len(state.path)

    def say(self, line: str) -> None:
        """Prints a line. A reader who is gone (`| head`) ends nothing: the call goes on unseen."""
        if self._seen_enough:
            return
        try:
            click.echo(line, file=self._out)
        except BrokenPipeError:
            self._seen_enough = True


def _line(said: Said) -> str:
    cut = " …" if said.cut else ""
    return f"{_NAMES[said.who]:>8}  {said.words}{cut}"


def _step_line(step: Step) -> str:
    where = f"→ {step.node}" if step.node else "→ the end"
    return f"{'':>8}  {where}  ({step.reason})"


def _refusal_line(refusal: Refusal) -> str:
    return f"{'':>8}  ✗ {refusal.to}  (refused: {'; '.join(refusal.missing)})"


def _tool_line(call: Call, tool: ToolCall, index: int) -> str:
    shown: Any = record_of(call)["tools"]
    recorded: Mapping[str, Any] = shown[index]
    args = json.dumps(recorded["args"], ensure_ascii=False)
    if tool.decision is None:
        return f"{'':>8}  ⚙ {tool.tool} {args}: {tool.outcome}, {tool.words}"
    rules = ", ".join(tool.rules) or "no rule applied"
    verdict = "allowed" if tool.allowed else "denied"
    why = "" if tool.allowed else f" because {'; '.join(recorded['reasons'])}"
    return f"{'':>8}  ⚙ {tool.tool} {args}: {verdict} by [{rules}]{why}; {tool.outcome}"


def summary(call: Call) -> str:
    """The end of a call in a few lines: its outcome, the nodes it passed, what it was pinned to."""
    state = call.state
    nodes = " → ".join(step.node for step in state.path if step.node) or "none"
    allowed = sum(tool.allowed is True for tool in state.tools)
    denied = sum(tool.allowed is False for tool in state.tools)
    return "\n".join(
        (
            f"outcome    {state.outcome}",
            f"nodes      {nodes}",
            f"decisions  {allowed} allowed, {denied} denied",
            f"pinned to  {call.table.tenant}/{call.table.flow} {call.pin.tag} {call.pin.digest}",
            f"policy     {call.policy.digest}",
        )
    )
