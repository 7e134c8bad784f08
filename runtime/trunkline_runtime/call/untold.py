"""Which tools work in the background, until their results have been told to the caller."""

import asyncio

from livekit.agents import ToolExecutionUpdatedEvent
from livekit.agents.voice.events import ToolCallEnded, ToolCallUpdated, ToolReplyUpdated


class Untold:
    """The calls of tools that are owed to the caller, by what LiveKit says of them."""

    def __init__(self) -> None:
        self._calls: set[str] = set()
        self._none_left = asyncio.Event()
        self._none_left.set()

    async def wait(self) -> None:
        """Returns when every result has been told, or nobody is there to be told."""
        await self._none_left.wait()

    def give_up(self) -> None:
        """The call is over: who waits for the last word waits no longer."""
        self._none_left.set()

    def updated(self, event: ToolExecutionUpdatedEvent) -> None:
        """Takes a tool in when it goes on in the background, and out when its result is told."""
        update = event.update
        if isinstance(update, ToolCallUpdated):
            self._calls.add(update.call_id)
        elif isinstance(update, ToolReplyUpdated) and update.status != "scheduled":
            self._calls -= {id.removesuffix("_final") for id in update.update_ids}
        elif isinstance(update, ToolCallEnded) and update.status == "cancelled":
            self._calls.discard(update.call_id)
        if self._calls:
            self._none_left.clear()
        else:
            self._none_left.set()
