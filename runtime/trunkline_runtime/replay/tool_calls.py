"""One recorded call of a tool in another release: granted, fitting, and past the gate's facts?"""

import itertools
from collections.abc import Iterator, Mapping
from datetime import datetime

import jsonschema

from trunkline_runtime.call.ending import AFTER_CALL
from trunkline_runtime.call.masking import MASK
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.step_facts import judge_disclosures, judge_facts
from trunkline_runtime.policy.waivers import waived_rules
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.replay.difference import Kind
from trunkline_runtime.replay.recalled import Recalled
from trunkline_runtime.replay.recorded import Recorded, UsedTool
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.nodes import TalkNode
from trunkline_runtime.table.parts import ToolUse

# What a call that never reached the gate is, and what one is that the gate was asked about.
_NEVER_ASKED = frozenset({"refused", "used_up"})


def differs(
    release: Release, rules: Rules, recorded: Recorded, tool: UsedTool, recalled: Recalled
) -> Iterator[tuple[Kind, str]]:
    """How the call of a tool would go otherwise."""
    node, _, inside = tool.node.partition("/")
    entry = release.entries.get(tool.tool)
    uses = _uses(recalled, tool.node, node)
    if uses is None:
        return  # the node is gone, which the path says
    use = next((use for use in uses if use.id == tool.tool), None)
    nested = _nested(release, tool, inside)
    granted = entry is not None and (use is not None or nested)
    if tool.outcome in _NEVER_ASKED:
        if granted and tool.outcome == "refused" and not tool.args:
            yield "tool", f"{tool.tool} is granted at {tool.node}; it was refused"
        return
    if not granted or entry is None:
        yield "tool", f"{tool.tool} is not granted at {tool.node}"
        return
    if use is not None:
        yield from _offered(recalled, use)
        used = _used_before(recorded, tool)
        if used >= use.max_calls:
            yield "tool", f"{tool.tool} may be called {use.max_calls} times, and this was one more"
    yield from _arguments(entry, tool.args)
    yield from _gate(release, rules, recorded, tool, entry)


def _uses(recalled: Recalled, whole: str, node: str) -> tuple[ToolUse, ...] | None:
    if whole == AFTER_CALL:
        return recalled.table.after_call
    found = recalled.table.nodes.get(whole) or recalled.table.nodes.get(node)
    return found.tools if isinstance(found, TalkNode) else None


def _nested(release: Release, tool: UsedTool, inside: str) -> bool:
    """Whether a subagent, which stands behind the node's name, may use the tool."""
    subagent = release.entries.get(inside.rpartition("/")[2])
    return subagent is not None and tool.tool in subagent.nested_calls


def _offered(recalled: Recalled, use: ToolUse) -> Iterator[tuple[Kind, str]]:
    held = recalled.condition(use.condition)
    if held == "closed":
        yield "tool", f"{use.id} is not offered: this must be true and is not: {use.condition}"
    elif held == "unclear":
        yield "unclear", f"{use.id} is offered if {use.condition}, which the record does not show"


def _used_before(recorded: Recorded, tool: UsedTool) -> int:
    before = itertools.takewhile(lambda other: other is not tool, recorded.tools)
    return sum(
        (other.tool, other.node) == (tool.tool, tool.node)
        and other.outcome in ("done", "error", "timeout")
        for other in before
    )


def _arguments(entry: ToolEntry, args: Mapping[str, Json]) -> Iterator[tuple[Kind, str]]:
    """What the entry's parameters say of the arguments; of a masked one only that it was given."""
    for error in jsonschema.Draft7Validator(entry.parameters).iter_errors(dict(args)):
        name = str(error.absolute_path[0]) if error.absolute_path else None
        if name is None or MASK not in str(args.get(name)):
            where = f"{name}: " if name else ""
            yield "arguments", f"{entry.id} does not take this: {where}{error.message[:200]}"


def _gate(
    release: Release, rules: Rules, recorded: Recorded, tool: UsedTool, entry: ToolEntry
) -> Iterator[tuple[Kind, str]]:
    """The facts and disclosures that the policy wants. The hour, the lists and the money were
    those of that day, and are not asked again."""
    if tool.allowed is None:
        return
    question = Question(
        tenant=release.tenant,
        purpose=recorded.purpose,
        now=datetime.fromisoformat(tool.at),
        tool=entry.id,
        direction=recorded.direction,
        effects=frozenset(entry.effects),
        facts=frozenset(tool.known.facts),
        disclosed=frozenset(tool.known.disclosed),
    )
    waived = waived_rules(rules, question, question.now.date())
    parts = (
        judge_facts(rules, question, frozenset(), waived),
        judge_disclosures(rules, question, frozenset(), waived),
    )
    reasons = [reason.message for part in parts for reason in part.reasons]
    if tool.allowed and reasons:
        yield "fact", f"the gate denies {entry.id}: {'; '.join(reasons)}"
    was = [reason for reason in tool.reasons if reason.startswith(("fact:", "consent:"))]
    if not tool.allowed and was and len(was) == len(tool.reasons) and not reasons:
        yield "fact", f"the gate allows {entry.id}; it was denied ({'; '.join(was)})"
