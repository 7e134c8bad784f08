"""The rules of slots and facts: what changes them, and what falls with a change.

A fact is established by a tool's result or by a yes on a confirm node, never by the model. It falls
when a tool that revokes it starts, and when a slot changes that was bound into the call, or read by
the words, that established it. A result that arrives after such a change establishes nothing.
"""

from collections.abc import Iterable

from trunkline_runtime.call.known import Fact, SlotValue
from trunkline_runtime.call.state import CallState


def set_slot(state: CallState, name: str, slot: SlotValue) -> bool:
    """Sets a slot. True if its value changed, and with it the facts that rested on it fell."""
    before = state.slots.get(name)
    state.slots[name] = slot
    state.declined.discard(name)
    state.ask_again.discard(name)
    if before is not None and before.value == slot.value:
        return False
    _changed(state, name)
    return True


def unset_slot(state: CallState, name: str) -> None:
    """Clears a slot and what the caller declined to say about it."""
    state.declined.discard(name)
    state.ask_again.discard(name)
    if state.slots.pop(name, None) is not None:
        _changed(state, name)


def decline_slot(state: CallState, name: str) -> None:
    """The caller would rather not say: the slot is not asked for again on this path."""
    unset_slot(state, name)
    state.declined.add(name)


def _changed(state: CallState, name: str) -> None:
    state.tick += 1
    state.changed[name] = state.tick
    for fact in [fact for fact, known in state.facts.items() if name in known.slots]:
        del state.facts[fact]


def start_call(state: CallState, revokes: Iterable[str], sets: Iterable[str]) -> int:
    """A tool starts: the facts that it revokes fall and the slots that it sets are unset.

    Returns the tick of the start, by which the result will know what changed meanwhile.
    """
    state.tick += 1
    started = state.tick
    for fact in revokes:
        state.facts.pop(fact, None)
        state.revoked[fact] = started
    for name in sets:
        unset_slot(state, name)
    return started


def still_holds(
    state: CallState, fact: str, slots: Iterable[str], *, seen: int, started: int
) -> bool:
    """Whether a result may establish `fact` now: nothing that it rests on has been overtaken.

    No slot of its arguments has changed since they were `seen`, and no other call that revokes the
    fact has `started` since its own start (both are ticks).
    """
    if state.revoked.get(fact, 0) > started:
        return False
    return all(state.changed.get(name, 0) <= seen for name in slots)


def establish(
    state: CallState, fact: str, *, by: str, subject: str | None, slots: Iterable[str]
) -> None:
    """Makes a fact known. What established it before is forgotten: the newest proof counts."""
    state.facts[fact] = Fact(subject, by, frozenset(slots))
