"""The beginning of a call: on the node that the answer calls for, or where a cut-off call was."""

from dataclasses import replace

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.entry import owe_words, take
from trunkline_runtime.call.exits import Move
from trunkline_runtime.call.moment import moment_of
from trunkline_runtime.call.path import Reason, Step
from trunkline_runtime.call.remembered import CUT_OFF
from trunkline_runtime.call.settle import settle
from trunkline_runtime.table.nodes import ConfirmNode

# Nobody picked up: there is no call to hold, only an outcome.
NOT_CONNECTED = frozenset({"busy", "no_answer"})
# No dialogue is that long.
_NEVER = -1


def begin(call: Call) -> None:
    """Enters the first node. Raises CallFailed."""
    state = call.state
    if state.over:
        return  # nobody was reached, or nobody is there any more
    if state.visit.number > 0:
        _settle_cut_off(call)
        if state.history:
            _resume(call)
        return
    if state.answered_by in NOT_CONNECTED:
        state.outcome, state.over = state.answered_by, True
        return
    target = call.table.answer.get(state.answered_by or "")
    if target is not None:
        take(call, Move(target, Reason("answer", state.answered_by or "")))
    else:
        take(call, Move(call.table.start, Reason("start")))
    settle(call)


def _resume(call: Call) -> None:
    """A call that was cut off goes on at its node: its words are owed again, if any were.

    A question is put again in any case: an answer counts only for words that were heard before it.
    """
    state = call.state
    here = state.flow, state.node, state.visit.number
    state.path.append(Step(*here, Reason("resume"), call.now(), moment_of(call)))
    # the dialogue has another length now: what was offered once has been, whatever comes of that
    state.visit.once = dict.fromkeys(state.visit.once, _NEVER)
    if not state.words and (not state.visit.spoken or isinstance(call.node, ConfirmNode)):
        owe_words(call)
    settle(call)


def _settle_cut_off(call: Call) -> None:
    """Nothing works any more for a call that was cut off, and nobody knows what came of it."""
    for number, tool in enumerate(call.state.tools):
        if tool.outcome == "running":
            call.state.tools[number] = replace(tool, outcome="error", words=CUT_OFF)
