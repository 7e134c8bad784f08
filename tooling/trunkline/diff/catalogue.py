"""The tools of the catalogue in two revisions: what they do, prove and cost."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from trunkline.diff.change import Cause, Edit, FlowId
from trunkline.diff.phrases import shown, ticked
from trunkline.diff.prices import cost_edit
from trunkline_runtime.catalogue.entry import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT_SECONDS,
    ToolEntry,
)

Entries = Mapping[str, ToolEntry]
# For a tool: the flows that use it. For a tool and a fact (or effect): those whose proof rests
# on what the tool says of it.
Using = Callable[[str], tuple[FlowId, ...]]
Resting = Callable[[str, str], tuple[FlowId, ...]]

# Keys that are compared as they stand: key → kind of change, and what to say of it.
_PLAIN: Mapping[str, tuple[str, str]] = {
    "parameters": ("parameters-changed", "takes other arguments"),
    "result": ("result-changed", "answers in another form"),
    "description": ("tool-description-changed", "is described to the model in other words"),
    "run": ("run-changed", "runs in another way"),
}
# How long and how often a tool is tried: key → default, and a word for it.
_TIMING: Mapping[str, tuple[Any, str]] = {
    "timeout_seconds": (DEFAULT_TIMEOUT_SECONDS, "the seconds that {} may take"),
    "retries": (DEFAULT_RETRIES, "the number of retries of {}"),
    "idempotent": (False, "whether {} may be run twice"),
}
_COMPARED = (
    frozenset(_PLAIN)
    | frozenset(_TIMING)
    | {
        *("schema_version", "id", "effects", "establishes", "revokes", "spoken", "subject", "cost"),
    }
)


def catalogue_edits(
    before: Entries, after: Entries, using: Using, rests: Resting
) -> Iterator[Edit]:
    """Every difference between the tools of two revisions, with the flows that it reaches."""
    for tool in sorted(before.keys() | after.keys()):
        old, new = before.get(tool), after.get(tool)
        entry = new or old
        assert entry is not None
        used = using(tool)
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
            )


def _tool_edits(
    tool: str, old: ToolEntry | None, new: ToolEntry | None, rests: Resting
) -> Iterator[Edit]:
    name = ticked(tool)
    if old is None or new is None:
        entry = new or old
        assert entry is not None
        effects = ", ".join(sorted(entry.effects)) or "no effects"
        if new is not None:
            message = f"a new tool {name} ({effects}): {entry.description}"
            yield Edit("entry-added", message, after=dict(entry.document))
        else:
            message = f"the tool {name} ({effects}) is gone"
            yield Edit("entry-removed", message, before=dict(entry.document))
        return
    yield from _members(name, old, new, rests, tool)
    yield from _conditions(name, old, new, rests, tool)
    if old.subject != new.subject:
        circumstances = _proof(tool, [*old.establishes, *new.establishes], rests)
        message = f"what {name} proves is about {_whom(new)} instead of {_whom(old)}"
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
        message = f"{name} belongs to {shown(new.connection)} instead of {shown(old.connection)}"
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
            message = f"{words.format(name)}: {shown(now)} instead of {shown(was)}"
            yield Edit("tool-timing-changed", message, part=key, before=was, after=now)
    for key in sorted((old.document.keys() | new.document.keys()) - _COMPARED):
        was, now = old.document.get(key), new.document.get(key)
        if was != now:
            message = f"{ticked(key)} of {name} is another"
            yield Edit("entry-setting-changed", message, part=key, before=was, after=now)


def _whom(entry: ToolEntry) -> str:
    return "nobody in particular" if entry.subject is None else ticked(entry.subject)


def _members(
    name: str, old: ToolEntry, new: ToolEntry, rests: Resting, tool: str
) -> Iterator[Edit]:
    """What is a set in an entry: effects, facts that fall, arguments that must be spoken."""
    facts = [*old.establishes, *new.establishes]
    for word, was, now, told in (
        ("effect", old.effects, new.effects, ("has the effect", "no longer has the effect")),
        ("revokes", old.revokes, new.revokes, ("ends", "no longer ends")),
        (
            "spoken",
            frozenset(old.spoken),
            frozenset(new.spoken),
            ("proves only what the caller said as", "proves whatever the model writes as"),
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
                    f"{name} {verb} {ticked(item)}",
                    part=f"{word} {item}",
                    before=sorted(was),
                    after=sorted(now),
                    circumstances=_proof(tool, on, rests),
                )


def _conditions(
    name: str, old: ToolEntry, new: ToolEntry, rests: Resting, tool: str
) -> Iterator[Edit]:
    """What an entry establishes, and when."""
    for fact in sorted(old.establishes.keys() | new.establishes.keys()):
        was, now = old.establishes.get(fact), new.establishes.get(fact)
        if was == now:
            continue
        if was is None:
            kind, told = "establishes-added", f"now establishes {ticked(fact)} if {shown(now)}"
        elif now is None:
            kind, told = "establishes-removed", f"no longer establishes {ticked(fact)}"
        else:
            kind = "establishes-changed"
            told = f"establishes {ticked(fact)} if {shown(now)} instead of {shown(was)}"
        yield Edit(
            kind,
            f"{name} {told}",
            part=f"establishes {fact}",
            before=was,
            after=now,
            circumstances=_proof(tool, [fact], rests),
        )


def _proof(tool: str, names: list[str], rests: Resting) -> frozenset[str]:
    return frozenset({"proof"} if any(rests(tool, name) for name in names) else ())
