"""Answers that a scenario gives, of tools and of humans: in order, and after them the real ones."""

import asyncio
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from trunkline_runtime.call.late import answers_late
from trunkline_runtime.call.transfers import HandOff, Taken, Transfers
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import FailureKind, Runner, ToolContext, ToolFailed

_KINDS: Mapping[str, FailureKind] = {"timeout": "timeout", "denied": "denied"}


class GivenAnswers:
    """A runner that answers from a scenario as long as it says something, then asks another.

    A tool that works while the call goes on begins at `told`: the script says when its result is
    there, not how fast this machine is.
    """

    def __init__(
        self,
        given: Mapping[str, Sequence[Mapping[str, Any]]],
        otherwise: Runner,
        told: asyncio.Event,
    ) -> None:
        self._left = {tool: deque(answers) for tool, answers in given.items()}
        self._otherwise = otherwise
        self._told = told

    async def run(self, entry: ToolEntry, args: Mapping[str, Json], context: ToolContext) -> Json:
        if answers_late(entry):
            await self._told.wait()
        waiting = self._left.get(entry.id)
        if not waiting:
            return await self._otherwise.run(entry, args, context)
        answer = waiting.popleft()
        if "error" in answer:
            kind = _KINDS.get(answer["error"], "error")
            words = answer["error"] if kind == "error" else f"{entry.id} did not answer in time."
            raise ToolFailed("Not allowed." if kind == "denied" else words, kind)
        result: Json = answer["result"]
        return result


class SomeAbsent:
    """Transfers on which nobody picks up at some numbers (`absent`: their names)."""

    def __init__(self, absent: Collection[str], otherwise: Transfers) -> None:
        self._absent = absent
        self._otherwise = otherwise

    async def hand_over(self, hand_off: HandOff) -> Taken:
        if hand_off.name in self._absent:
            return Taken(False)
        return await self._otherwise.hand_over(hand_off)
