"""What a node lets the agent do: tools granted and revoked, and how each is held back."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.edges import guard_edits
from trunkline.diff.exits import Exit, Written
from trunkline.diff.phrases import doing, instead, listed, path_of, shown, ticked
from trunkline.diff.side import Side
from trunkline_runtime.table.parts import DEFAULT_MAX_CALLS

_KNOWN = frozenset({"id", "with", "sets", "if", "once", "max_calls"})
_NOTHING: Mapping[str, Any] = {}


def tool_edits(
    before: Sequence[Written], after: Sequence[Written], node: str | None, later: Side
) -> Iterator[Edit]:
    """The differences between the tools of one node (None: of those after the call)."""
    old, new = _by_name(before), _by_name(after)
    for name in sorted(old.keys() - new.keys()):
        tool = ticked(old[name]["id"])
        told = "no longer runs after the call" if node is None else "can no longer be called here"
        message = f"{tool} {told}"
        yield Edit("tool-revoked", message, part=f"tool {name}", before=dict(old[name]))
    for name in sorted(new.keys() - old.keys()):
        yield _granted(new[name], name, node, later)
    for name in [name for name in new if name in old]:
        yield from _use_edits(old[name], new[name], name, later)
    kept_before = [name for name in old if name in new]
    kept_after = [name for name in new if name in old]
    if kept_before != kept_after:
        message = "the agent sees the same tools in another order"
        yield Edit(
            "tool-order-changed", message, part="tools", before=kept_before, after=kept_after
        )


def _by_name(uses: Sequence[Written]) -> dict[str, Written]:
    """The uses by tool id; a second use of one tool gets a number."""
    found: dict[str, Written] = {}
    for use in uses:
        name, count = use["id"], 1
        while name in found:
            count += 1
            name = f"{use['id']} ({count})"
        found[name] = use
    return found


def _granted(use: Written, name: str, node: str | None, later: Side) -> Edit:
    tool = use["id"]
    circumstances = set(later.effects(tool) & {"payment", "transfer"})
    trace: tuple[str, ...] = ()
    if node is None:
        message = f"{ticked(tool)} now runs after the call"
    else:
        message = f"the agent may now call {ticked(tool)} here"
    message += doing(later.effects(tool))
    required = later.required_facts(tool)
    if node is not None and later.proofs is not None and node in later.proofs.reachable:
        trace = later.proofs.path(node)
        missing = required - later.proofs.at_tools.get((node, tool), frozenset())
        if missing:
            circumstances.add("unproven")
            trace = later.proofs.path_without(node, sorted(missing)[0])
            message += f" without {listed(sorted(missing))} before it: {path_of(trace)}"
        elif required:
            message += f", always with {listed(sorted(required))} before it"
    return Edit(
        "tool-granted",
        message,
        part=f"tool {name}",
        after=dict(use),
        trace=trace,
        circumstances=frozenset(circumstances),
    )


def _use_edits(old: Written, new: Written, name: str, later: Side) -> Iterator[Edit]:
    part, tool = f"tool {name}", ticked(new["id"])
    yield from _argument_edits(old, new, name)
    subject = f"the agent can call {tool}"
    yield from guard_edits(Exit("tool", "", old), Exit("tool", "", new), subject, part)
    sets = old.get("sets", _NOTHING), new.get("sets", _NOTHING)
    if sets[0] != sets[1]:
        message = f"what {tool} finds fills other slots: {instead(sets[1], sets[0])}"
        yield Edit("sets-changed", message, part=part, before=sets[0], after=sets[1])
    calls = old.get("max_calls", DEFAULT_MAX_CALLS), new.get("max_calls", DEFAULT_MAX_CALLS)
    if calls[0] != calls[1]:
        yield Edit(
            "max-calls-raised" if calls[1] > calls[0] else "max-calls-lowered",
            f"{tool} may run {calls[1]} times in a call instead of {calls[0]}",
            part=part,
            before=calls[0],
            after=calls[1],
        )
    if bool(old.get("once")) != bool(new.get("once")):
        once = bool(new.get("once"))
        offered = "in one turn of the agent only" if once else "in every turn of the agent here"
        yield Edit(
            "once-set" if once else "once-lifted",
            f"{tool} can be called {offered}",
            part=part,
            before=not once,
            after=once,
        )
    rest = ({key: use[key] for key in use if key not in _KNOWN} for use in (old, new))
    before, after = rest
    if before != after:
        message = f"{tool} has other settings: {instead(after, before)}"
        yield Edit("node-setting-changed", message, part=part, before=before, after=after)


def _argument_edits(old: Written, new: Written, name: str) -> Iterator[Edit]:
    before, after = old.get("with", _NOTHING), new.get("with", _NOTHING)
    tool = ticked(new["id"])
    for argument in sorted(before.keys() | after.keys()):
        was, now = before.get(argument), after.get(argument)
        part = f"tool {name} argument {argument}"
        if was == now and isinstance(was, bool) == isinstance(now, bool):
            continue
        if now is None:
            message = (
                f"the model now chooses {ticked(argument)} of {tool}; it was bound to {shown(was)}"
            )
            yield Edit("argument-freed", message, part=part, before=was)
        elif was is None:
            message = (
                f"the model no longer chooses {ticked(argument)} of {tool}: it is {shown(now)}"
            )
            yield Edit("argument-bound", message, part=part, after=now)
        else:
            message = f"{tool} is given {shown(now)} instead of {shown(was)} as {ticked(argument)}"
            yield Edit("argument-changed", message, part=part, before=was, after=now)
