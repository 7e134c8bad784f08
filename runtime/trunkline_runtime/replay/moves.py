"""One recorded move in another release: where the same cause would lead there, and why."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trunkline_runtime.call.exits import collected, missing_slots, offered
from trunkline_runtime.call.masking import MASK
from trunkline_runtime.call.path import Cause, Step
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.replay.difference import Kind
from trunkline_runtime.replay.recalled import Recalled
from trunkline_runtime.table.nodes import (
    ConfirmNode,
    LinkNode,
    Node,
    RouteNode,
    TalkNode,
    TransferNode,
)
from trunkline_runtime.table.parts import Edge


@dataclass(frozen=True)
class Before:
    """A move and what stood before it. `host` is the node that an aside was entered from."""

    release: Release
    node: Node
    step: Step
    recalled: Recalled
    host: str | None = None


Found = Sequence[tuple[Kind, str]]


def differs(before: Before) -> Found:
    """How the move would go otherwise; nothing if it would go the same way."""
    judge = _CAUSES.get(before.step.reason.cause)
    return judge(before) if judge is not None else ()


def _model(before: Before) -> Found:
    table, node, step = before.recalled.table, before.node, before.step
    if not isinstance(node, TalkNode):
        return [("exit", f"at {node.id} no model chooses an exit any more")]
    exits = {exit.to: exit.when for exit in offered(table, node)}
    # Words that hold something private are not all there to be compared.
    when = "" if MASK in step.reason.words else step.reason.words
    if step.node not in exits:
        now = next((to for to, said in exits.items() if when and when in said.split("; or ")), None)
        if now is not None:
            return [("exit", f"the exit {when!r} leads to {now} and not to {step.node}")]
        return [("exit", f"{node.id} has no exit to {step.node} that the model could choose")]
    mine = [edge for edge in _edges(before) if edge.asks_model and edge.to == step.node]
    found = list(_guarded(before, mine, f"the exit to {step.node}"))
    everywhere = any(edge in table.anywhere for edge in mine)
    if not found and not everywhere:
        found += _overtaken(before)
    if when and not any(edge.when == when for edge in mine):
        found.append(
            ("words", f"the exit to {step.node} is offered as {exits[step.node]!r}, not {when!r}")
        )
    return found


def _guarded(before: Before, edges: Sequence[Edge], what: str) -> Found:
    held = [before.recalled.guard(edge) for edge in edges]
    if "open" in held:
        return ()
    if "unclear" in held:
        return [("unclear", f"{what} has a guard that reads what the record does not show")]
    return [("guard", f"{what} is closed: {before.recalled.lacks(edges)}")]


def _overtaken(before: Before) -> Found:
    """An exit without `when` that holds now comes before the model's choice."""
    if not collected(before.node, before.recalled.state):
        return ()
    for edge in _edges(before):
        if not edge.asks_model and before.recalled.guard(edge) == "open":
            guard = edge.condition or ", ".join(edge.requires) or "nothing"
            return [("guard", f"the exit to {edge.to} is open ({guard}) and taken before")]
    return ()


def _edge(before: Before) -> Found:
    node, step = before.node, before.step
    if not isinstance(node, TalkNode | RouteNode):
        return [("exit", f"{node.id} has no exit of the runtime's own any more")]
    if isinstance(node, TalkNode) and (missing := missing_slots(node, before.recalled.state)):
        return [("guard", f"{node.id} asks for {', '.join(missing)} first")]
    for edge in _edges(before):
        if edge.asks_model:
            continue
        held = "open" if edge.otherwise else before.recalled.guard(edge)
        if held == "unclear":
            # the record says that this guard held, whatever it read
            held = "open" if step.reason.words == edge.condition else "unclear"
        if held == "unclear":
            return [("unclear", f"the guard {edge.condition!r} reads what the record doesn't show")]
        if held == "open":
            return _led(step, edge.to, f"the exit to {edge.to} holds first")
    mine = [edge for edge in _edges(before) if not edge.asks_model and edge.to == step.node]
    if not mine:
        return [("exit", f"{node.id} has no exit to {step.node} that is taken without the model")]
    return [("guard", f"the exit to {step.node} is closed: {before.recalled.lacks(mine)}")]


def _edges(before: Before) -> tuple[Edge, ...]:
    node = before.node
    if isinstance(node, RouteNode):
        return node.edges
    if isinstance(node, TalkNode):
        return (*node.edges, *before.recalled.table.anywhere)
    return ()


def _back(before: Before) -> Found:
    if not (isinstance(before.node, TalkNode) and before.node.aside):
        return [("exit", f"{before.node.id} is no aside any more")]
    return _led(before.step, before.host or "", f"an aside goes back to {before.host}")


def _key(before: Before) -> Found:
    key = before.step.reason.words
    own = before.node.keys if isinstance(before.node, TalkNode) else {}
    to = before.recalled.table.keys.get(key) or own.get(key)
    if to is None:
        return [("exit", f"the key {key} leads nowhere at {before.node.id}")]
    return _led(before.step, to, f"the key {key} leads to {to}")


def _confirm(before: Before) -> Found:
    node, answer = before.node, before.step.reason.words
    if not isinstance(node, ConfirmNode):
        return [("exit", f"{node.id} asks no yes or no any more")]
    to = {"yes": node.on_yes, "no": node.on_no}.get(answer, node.on_unclear)
    return _led(before.step, to, f"{answer} leads to {to}")


def _silence(before: Before) -> Found:
    node, table = before.node, before.recalled.table
    own = node.silence if isinstance(node, TalkNode) else None
    rules = own or table.silence
    were = _number(before.step.reason.words)
    if were is not None and were != rules.times:
        return [("silence", f"the words are said into {rules.times} silences, and not {were}")]
    return _led(before.step, rules.to or "", f"silence leads to {rules.to or 'the end'}")


def _limit(before: Before) -> Found:
    table, step = before.recalled.table, before.step
    entered = re.match(r"(\S+) was entered (\d+) times", step.reason.words)
    if entered is None:
        were, now = _number(step.reason.words), table.limits.max_minutes
        if were is not None and now != were:
            return [("limit", f"the call may last {now:g} minutes, and not {were:g}")]
        return _led(step, table.limits.to or "", f"a long call leads to {table.limits.to}")
    target = table.nodes.get(entered[1])
    own = target.limits if isinstance(target, TalkNode) else None
    allowed = own.max_visits if own is not None else table.limits.max_visits
    if allowed != int(entered[2]):
        return [("limit", f"{entered[1]} may be entered {allowed} times, and not {entered[2]}")]
    to = (own.to if own is not None else None) or table.limits.to or ""
    return _led(step, to, f"too many visits lead to {to or 'the end'}")


def _error(before: Before) -> Found:
    to = before.recalled.table.error or ""
    return _led(before.step, to, f"a failure leads to {to or 'the end'}")


def _on_failure(before: Before) -> Found:
    node = before.node
    if not isinstance(node, TransferNode):
        return [("exit", f"{node.id} transfers nobody any more")]
    return _led(before.step, node.on_failure, f"a failed transfer leads to {node.on_failure}")


def _link(before: Before) -> Found:
    node, step = before.node, before.step
    if not isinstance(node, LinkNode):
        return [("exit", f"{node.id} links to no other flow any more")]
    if node.flow != step.flow:
        return [("exit", f"{node.id} links to {node.flow} and not to {step.flow}")]
    start = before.release.tables[node.flow].start
    return _led(step, start, f"{node.flow} starts at {start}")


def _led(step: Step, to: str, why: str) -> Found:
    if to == step.node:
        return ()
    return [("exit", f"{why} and not to {step.node}" if step.node else f"{why}; the call ended")]


def _number(words: str) -> float | None:
    found = re.search(r"\d+(?:\.\d+)?", words)
    return float(found[0]) if found else None


_CAUSES: dict[Cause, Callable[[Before], Found]] = {
    "model": _model,
    "edge": _edge,
    "back": _back,
    "key": _key,
    "confirm": _confirm,
    "silence": _silence,
    "limit": _limit,
    "error": _error,
    "on_failure": _on_failure,
    "link": _link,
}
