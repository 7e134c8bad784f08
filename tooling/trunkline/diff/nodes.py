"""Nodes: added, removed, of another kind, and everything that can differ inside one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.edges import edge_edits
from trunkline.diff.exits import Written, exits_of_node
from trunkline.diff.limits import limit_edits, silence_edits
from trunkline.diff.phrases import doing, instead, listed, quoted, shown, ticked
from trunkline.diff.side import Side
from trunkline.diff.speech import speech_edits
from trunkline.diff.tools import tool_edits
from trunkline_runtime.table.parts import DEFAULT_CONFIRM_TIMES

_COMPARED = frozenset(
    {
        *("kind", "say"),
        *("instructions", "speak", "say_again", "collect", "tools", "edges", "history", "silence"),
        *("limits", "keys", "return", "establishes", "on_yes", "on_no", "on_unclear", "times"),
        *("number", "mode", "summary", "on_failure", "outcome", "flow", "with"),
    }
)
# What is compared as a whole: key → kind of change, and what to say of it.
_PLAIN: Mapping[str, tuple[str, str]] = {
    "history": ("history-changed", "the model sees another part of the conversation here"),
    "outcome": ("outcome-changed", "calls that end here count as another outcome"),
    "number": ("transfer-number-changed", "callers are put through to another number"),
    "mode": ("transfer-changed", "callers are put through in another way"),
    "summary": ("transfer-changed", "whoever takes the call over hears another summary"),
    "flow": ("link-changed", "calls go on in another flow"),
    "with": ("link-changed", "the flow in which calls go on is given other values"),
}


def node_edits(before: Side, after: Side) -> Iterator[Edit]:
    """The differences between the nodes of two versions of a flow, renames aside."""
    for id in before.nodes:
        if id not in after.nodes:
            yield from _of(id, _removed(id, before.nodes[id], after))
    for id in after.nodes:
        if id not in before.nodes:
            yield from _of(id, _added(id, after.nodes[id], after))
        else:
            yield from _of(id, _inside(id, before, after))


def _of(id: str, edits: Iterator[Edit]) -> Iterator[Edit]:
    for edit in edits:
        yield replace(edit, node=id)


def _added(id: str, node: Written, after: Side) -> Iterator[Edit]:
    leads = {exit.to: after.leads(exit.to) for exit in exits_of_node(node)}
    told = [f"{ticked(to)}{doing(what)}" for to, what in leads.items() if what]
    onward = f"; it leads to {', '.join(told)}" if told else ""
    yield Edit(
        "node-added",
        f"calls can come to a new {node.get('kind', 'talk')} node{_gist(node)}{onward}",
        part="node",
        after=dict(node),
        # Its tools are told one by one; a way to a payment or a transfer is told here.
        circumstances=frozenset().union(after.leads(id) & {"transfer"}, *leads.values()),
    )
    yield from tool_edits((), node.get("tools", ()), id, after)


def _removed(id: str, node: Written, after: Side) -> Iterator[Edit]:
    message = f"calls no longer come to this {node.get('kind', 'talk')} node{_gist(node)}"
    yield Edit("node-removed", message, part="node", before=dict(node))
    yield from tool_edits(node.get("tools", ()), (), id, after)


def _gist(node: Written) -> str:
    """What a node is for, in a few words."""
    parts: list[str] = []
    for key, told in (("say", "callers hear"), ("instructions", "the model is told")):
        if isinstance(node.get(key), str):
            parts.append(f"{told} {quoted(node[key])}")
    if node.get("collect"):
        parts.append(f"callers are asked for {listed(node['collect'])}")
    if node.get("outcome"):
        parts.append(f"calls end with {ticked(node['outcome'])}")
    if node.get("kind") == "transfer":
        parts.append(f"callers are put through to {shown(node.get('number'))}")
    return f": {', '.join(parts)}" if parts else ""


def _inside(id: str, before: Side, after: Side) -> Iterator[Edit]:
    old, new = before.nodes[id], after.nodes[id]
    if old == new:
        return
    if old.get("kind", "talk") != new.get("kind", "talk"):
        yield Edit(
            "node-kind-changed",
            f"calls now meet a {new.get('kind', 'talk')} node here instead of a "
            f"{old.get('kind', 'talk')} node",
            part="kind",
            before=old.get("kind", "talk"),
            after=new.get("kind", "talk"),
            circumstances=after.leads(id) & {"transfer"},
        )
    language = str(after.table.get("language", ""))
    yield from speech_edits(old, new, language)
    yield from tool_edits(old.get("tools", ()), new.get("tools", ()), id, after)
    yield from edge_edits(exits_of_node(old), exits_of_node(new), after.leads, language)
    yield from silence_edits(old, new, language)
    yield from limit_edits(old, new)
    yield from _collect_edits(old, new)
    yield from _establishes_edits(old, new)
    yield from _plain_edits(old, new)


def _plain_edits(old: Written, new: Written) -> Iterator[Edit]:
    times = old.get("times", DEFAULT_CONFIRM_TIMES), new.get("times", DEFAULT_CONFIRM_TIMES)
    if times[0] != times[1]:
        message = f"callers are asked {times[1]} times instead of {times[0]} for a clear yes or no"
        yield Edit("confirm-times-changed", message, part="times", before=times[0], after=times[1])
    for key, (kind, message) in _PLAIN.items():
        was, now = old.get(key), new.get(key)
        if was != now:
            told = f"{message}: {instead(now, was)}"
            yield Edit(kind, told, part=key, before=was, after=now)
    if bool(old.get("return")) != bool(new.get("return")):
        aside = bool(new.get("return"))
        told = "go back to where they came from" if aside else "no longer go back by themselves"
        yield Edit(
            "aside-added" if aside else "aside-removed",
            f"from here calls {told}",
            part="return",
            before=not aside,
            after=aside,
        )
    for key in sorted((old.keys() | new.keys()) - _COMPARED):
        if old.get(key) != new.get(key):
            message = f"{ticked(key)} of the node is {instead(new.get(key), old.get(key))}"
            yield Edit(
                "node-setting-changed", message, part=key, before=old.get(key), after=new.get(key)
            )


def _collect_edits(old: Written, new: Written) -> Iterator[Edit]:
    before, after = list(old.get("collect", ())), list(new.get("collect", ()))
    whole: dict[str, Any] = {"part": "collect", "before": before, "after": after}
    came = [name for name in after if name not in before]
    gone = [name for name in before if name not in after]
    if came:
        yield Edit("collect-added", f"callers are asked for {listed(came)} too", **whole)
    if gone:
        yield Edit("collect-removed", f"callers are no longer asked for {listed(gone)}", **whole)
    if not came and not gone and before != after:
        yield Edit(
            "node-setting-changed", "callers are asked for the same in another order", **whole
        )


def _establishes_edits(old: Written, new: Written) -> Iterator[Edit]:
    before, after = set(old.get("establishes", ())), set(new.get("establishes", ()))
    for kind, facts, told in (
        ("confirm-establishes-added", after - before, "a yes now establishes"),
        ("confirm-establishes-removed", before - after, "a yes no longer establishes"),
    ):
        for fact in sorted(facts):
            yield Edit(
                kind,
                f"{told} {ticked(fact)}",
                part=f"establishes {fact}",
                before=sorted(before),
                after=sorted(after),
            )
