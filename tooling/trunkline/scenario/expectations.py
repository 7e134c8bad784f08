"""Holds a call that is over against what its scenario expects of it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.scenario.result import Fault
from trunkline_runtime.call.history import ToolCall
from trunkline_runtime.call.state import CallState
from trunkline_runtime.gate.decision import Decision

# A tool, and what the gate decided about it.
Decided = tuple[str, Decision]


def faults_of(
    expect: Mapping[str, Any], state: CallState, decided: Sequence[Decided]
) -> tuple[Fault, ...]:
    """Every expectation that the call did not meet, the course of the call first.

    `nodes`, `refused`, `tools` and `decisions` are whole lists in order; `facts` is the whole set;
    of slots, words and the rules of a decision those that are named count.
    """
    return tuple(_faults(expect, state, decided))


def _faults(
    expect: Mapping[str, Any], state: CallState, decided: Sequence[Decided]
) -> Iterator[Fault]:
    wholes: list[tuple[str, Any]] = [
        ("nodes", [step.node for step in state.path if step.node]),
        ("outcome", state.outcome),
        ("refused", [refusal.to for refusal in state.refusals]),
    ]
    for what, actual in wholes:
        if what in expect and expect[what] != actual:
            yield Fault(what, _shown(expect[what]), _shown(actual))
    if "tools" in expect:
        yield from _tools(expect["tools"], [t for t in state.tools if t.outcome != "refused"])
    if "decisions" in expect:
        yield from _decisions(expect["decisions"], decided)
    if "facts" in expect and set(expect["facts"]) != set(state.facts):
        yield Fault("facts", _shown(sorted(expect["facts"])), _shown(sorted(state.facts)))
    for name, value in expect.get("slots", {}).items():
        known = state.slots.get(name)
        actual = known.value if known is not None else None
        if actual != value or isinstance(actual, bool) != isinstance(value, bool):
            yield Fault("slots", f"{name}: {_shown(value)}", f"{name}: {_shown(actual)}")
    heard = [said.words for said in state.history if said.who != "caller"]
    for words in expect.get("said", ()):
        if not any(words in line for line in heard):
            yield Fault("said", _shown(words), "nobody said it")
    yield from words_never_said(expect, state)


def words_never_said(expect: Mapping[str, Any], state: CallState) -> Iterator[Fault]:
    """What the caller heard and should not have."""
    for words in expect.get("never_said", ()):
        for said in state.history:
            if said.who != "caller" and words in said.words:
                yield Fault("never_said", f"never {_shown(words)}", _shown(said.words))


def _tools(expected: Sequence[Mapping[str, Any]], called: Sequence[ToolCall]) -> Iterator[Fault]:
    wanted, names = [tool["tool"] for tool in expected], [tool.tool for tool in called]
    if wanted != names:
        yield Fault("tools", _shown(wanted), _shown(names))
        return
    for tool, call in zip(expected, called, strict=True):
        if "args" in tool and tool["args"] != dict(call.args):
            yield Fault(
                "tools",
                f"{call.tool} with {_shown(tool['args'])}",
                f"{call.tool} with {_shown(dict(call.args))}",
            )


def _decisions(
    expected: Sequence[Mapping[str, Any]], decided: Sequence[Decided]
) -> Iterator[Fault]:
    told = [_told(tool, decision) for tool, decision in decided]
    if len(expected) != len(decided):
        yield Fault("decisions", _shown(expected), "; ".join(told) or "none")
        return
    for wanted, (tool, decision), actual in zip(expected, decided, told, strict=True):
        kinds = {reason.kind for reason in decision.reasons}
        if (
            wanted.get("tool", tool) != tool
            or wanted.get("allowed", decision.allowed) != decision.allowed
            or not set(wanted.get("rules", ())) <= set(decision.rules)
            or ("reasons" in wanted and set(wanted["reasons"]) != kinds)
        ):
            yield Fault("decisions", _shown(wanted), actual)


def _told(tool: str, decision: Decision) -> str:
    verdict = "allowed" if decision.allowed else "denied"
    because = "; ".join(f"{reason.kind}: {reason.message}" for reason in decision.reasons)
    rules = ", ".join(decision.rules) or "no rule"
    return f"{tool} {verdict} by [{rules}]" + (f" because {because}" if because else "")


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
