"""What a session tells, written down: who said what, and how long answers and swaps took."""

import contextlib
import time
from collections.abc import Callable, Iterator

from livekit.agents import AgentStateChangedEvent, ConversationItemAddedEvent, llm

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.ledger import Ledger
from trunkline_runtime.call.timing import Swapped, Turn


class Notes:
    """Notes what happens on the line of one call. `changed` is called when something was said."""

    def __init__(self, call: Call, ledger: Ledger, changed: Callable[[], None]) -> None:
        self._call = call
        self._ledger = ledger
        self._changed = changed
        self._turn: Turn | None = None

    def item_added(self, event: ConversationItemAddedEvent) -> None:
        """Somebody said something."""
        item, state = event.item, self._call.state
        if not isinstance(item, llm.ChatMessage) or item.role not in ("user", "assistant"):
            return
        words, node, now = item.raw_text_content or "", state.node, self._call.now()
        if item.role == "user":
            self._ledger.heard = item.id
            self._ledger.rounds = 0
            state.visit.silences = 0
            state.history.append(Said("caller", words, node, now))
            self._turn = Turn.of(node, state.visit.number, now, item.metrics)
        else:
            state.history.append(Said("agent", words, node, now, item.interrupted))
        self._changed()

    def state_changed(self, event: AgentStateChangedEvent) -> None:
        """The first word after the caller's turn: an answer."""
        if event.new_state == "speaking" and self._turn is not None:
            self._call.state.answers.append(self._turn.answered())
            self._turn = None

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """Notes how long a swap of nodes took, if the block makes one."""
        state = self._call.state
        before, began = state.visit, time.monotonic()
        yield
        visit = state.visit
        if visit.number != before.number:
            took = round(time.monotonic() - began, 6)
            swap = Swapped(before.node, visit.node, visit.number, self._call.now(), took)
            state.swaps.append(swap)
