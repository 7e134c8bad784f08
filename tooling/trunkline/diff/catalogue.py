"""The tools of the catalogue in two revisions: what they do, prove and cost."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.establishes import condition_edits, proof
from trunkline.diff.phrases import doing, instead, ticked, tool_that
from trunkline.diff.prices import cost_edit
from trunkline.diff.rests import Rests
from trunkline_runtime.catalogue.entry import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT_SECONDS,
    ToolEntry,
)

Entries = Mapping[str, ToolEntry]

# Keys that are compared as they stand: key → kind of change, and what to say of it.
_PLAIN: Mapping[str, tuple[str, str]] = {
    "parameters": ("parameters-changed", "is called with other arguments"),
    "result": ("result-changed", "answers in another form"),
    "description": ("tool-description-changed", "is described to the model in other words"),
    "run": ("run-changed", "does its work in another way"),
}
# How long and how often a tool is tried: key → default, and what it means.
_TIMING: Mapping[str, tuple[Any, str]] = {
    "timeout_seconds": (DEFAULT_TIMEOUT_SECONDS, "callers may wait for {}, in seconds"),
    "retries": (DEFAULT_RETRIES, "{} is tried again when it fails, in times"),
    "idempotent": (False, "{} may be run twice for one call of it"),
}
_COMPARED = (
    frozenset(_PLAIN)
    | frozenset(_TIMING)
    | {
        *("schema_version", "id", "effects", "establishes", "revokes", "spoken", "subject", "cost"),
    }
)


def catalogue_edits(before: Entries, after: Entries, rests: Rests) -> Iterator[Edit]:
    """Every difference between the tools of two revisions, with the flows that it reaches."""
    for tool in sorted(before.keys() | after.keys()):
        old, new = before.get(tool), after.get(tool)
        entry = new or old
        assert entry is not None
        used = rests.using(tool)
        for edit in _tool_edits(tool, old, new, rests):
            circumstances = edit.circumstances | ({"used"} if used else set())
            yield Edit(
                edit.kind,
                edit.message,
                part=f"tool {tool} {edit.part}",
                before=edit.before,
                after=edit.after,
                circumstances=frozenset(circumstances),
                cause=Cause("catalogue", f"catalog/tools/{entry.connection}/{tool}.yaml"),
                affects=used,
                at=rests.nodes(tool),
            )


def _tool_edits(
    tool: str, old: ToolEntry | None, new: ToolEntry | None, rests: Rests
) -> Iterator[Edit]:
    name = ticked(tool)
    if old is None or new is None:
        entry = new or old
        assert entry is not None
        effects = doing(entry.effects) or " (no effects)"
        if new is not None:
            message = f"flows may now use a new tool, {name}{effects}: {entry.description}"
            yield Edit("entry-added", message, after=dict(entry.document))
        else:
            message = f"no flow can use the tool {name}{effects} any more"
            yield Edit("entry-removed", message, before=dict(entry.document))
        return
    yield from _members(name, old, new, rests, tool)
    yield from condition_edits(tool, old, new, rests)
    if old.subject != new.subject:
        circumstances = proof(tool, [*old.establishes, *new.establishes], rests)
        message = f"what {name} establishes is now about {_whom(new)} instead of {_whom(old)}"
        yield Edit(
            "subject-changed",
            message,
            part="subject",
            before=old.subject,
            after=new.subject,
            circumstances=circumstances,
        )
    yield from cost_edit(name, old.cost, new.cost)
    if old.connection != new.connection:
        message = f"{name} runs on {instead(new.connection, old.connection)}"
        yield Edit(
            "connection-changed",
            message,
            part="connection",
            before=old.connection,
            after=new.connection,
        )
    for key, (kind, told) in _PLAIN.items():
        was, now = old.document.get(key), new.document.get(key)
        if was != now:
            yield Edit(kind, f"{name} {told}", part=key, before=was, after=now)
    for key, (default, words) in _TIMING.items():
        was, now = old.document.get(key, default), new.document.get(key, default)
        if was != now:
            message = f"{words.format(name)}: {instead(now, was)}"
            yield Edit("tool-timing-changed", message, part=key, before=was, after=now)
    for key in sorted((old.document.keys() | new.document.keys()) - _COMPARED):
        was, now = old.document.get(key), new.document.get(key)
        if was != now:
            message = f"{ticked(key)} of {name} is {instead(now, was)}"
            yield Edit("entry-setting-changed", message, part=key, before=was, after=now)


def _whom(entry: ToolEntry) -> str:
    return "nobody in particular" if entry.subject is None else ticked(entry.subject)


def _members(name: str, old: ToolEntry, new: ToolEntry, rests: Rests, tool: str) -> Iterator[Edit]:
    """What is a set in an entry: effects, facts that fall, arguments that must be spoken."""
    facts = [*old.establishes, *new.establishes]
    for word, was, now, told in (
        ("effect", old.effects, new.effects, ("now counts as {}", "no longer counts as {}")),
        ("revokes", old.revokes, new.revokes, ("now ends {}", "no longer ends {}")),
        (
            "spoken",
            frozenset(old.spoken),
            frozenset(new.spoken),
            (
                "establishes facts only on what the caller said as {}",
                "establishes facts on whatever the model writes as {}",
            ),
        ),
    ):
        for kind, items, verb in (
            (f"{word}-added", now - was, told[0]),
            (f"{word}-removed", was - now, told[1]),
        ):
            for item in sorted(items):
                on = facts if word == "spoken" else [item]
                yield Edit(
                    kind,
                    f"{name} {verb.format(tool_that(item) if word == 'effect' else ticked(item))}",
                    part=f"{word} {item}",
                    before=sorted(was),
                    after=sorted(now),
                    circumstances=proof(tool, on, rests),
                )
