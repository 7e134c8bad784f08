"""Slots and inputs: what a call collects, what it starts with."""

from collections.abc import Iterator
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.exits import Written
from trunkline.diff.phrases import instead, ticked
from trunkline.diff.speech import NOT_JUDGED, say_edits

_TAKES = {"slot": "now have room for", "input": "now start with"}
_TOLD_APART = frozenset({"type", "ask", "optional", "pii", "description"})


def slot_edits(before: Written, after: Written, word: str, language: str) -> Iterator[Edit]:
    """The differences between two lists of declarations; `word` is `slot` or `input`."""
    old: Written | None
    new: Written | None
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        part = f"{word} {name}"
        if new is not None and old is None:
            message = f"calls {_TAKES[word]} {ticked(name)}, of type {new.get('type')}"
            yield Edit(f"{word}-added", message, part=part, after=new)
        elif new is None or old is None:
            message = f"calls no longer {_TAKES[word].removeprefix('now ')} {ticked(name)}"
            yield Edit(f"{word}-removed", message, part=part, before=old)
        else:
            yield from _declaration_edits(old, new, name, part, language)


def _declaration_edits(
    old: Written, new: Written, name: str, part: str, language: str
) -> Iterator[Edit]:
    yield from say_edits(
        old.get("ask"), new.get("ask"), "ask", f"when asked for {ticked(name)}", language
    )
    if old.get("type") != new.get("type"):
        message = f"{ticked(name)} is of type {new.get('type')} instead of {old.get('type')}"
        yield Edit(
            "slot-type-changed", message, part=part, before=old.get("type"), after=new.get("type")
        )
    if _flag(old, "optional") != _flag(new, "optional"):
        optional = _flag(new, "optional")
        yield Edit(
            "slot-made-optional" if optional else "slot-made-required",
            f"the caller may {'now' if optional else 'no longer'} decline to give {ticked(name)}",
            part=part,
            before=not optional,
            after=optional,
        )
    if _flag(old, "pii") != _flag(new, "pii"):
        marked = _flag(new, "pii")
        told = "is now kept out of" if marked else "may now be shown in"
        yield Edit(
            "pii-mark-added" if marked else "pii-mark-removed",
            f"{ticked(name)} {told} logs, findings and comments",
            part=part,
            before=not marked,
            after=marked,
        )
    before, after = ({key: one[key] for key in one if key not in _TOLD_APART} for one in (old, new))
    if before != after:
        message = f"callers may give other values as {ticked(name)}: {instead(after, before)}"
        yield Edit("slot-values-changed", message, part=part, before=before, after=after)
    told_before, told_after = old.get("description"), new.get("description")
    if told_before != told_after:
        message = f"the model is told in other words what {ticked(name)} is ({NOT_JUDGED})"
        yield Edit(
            "slot-description-changed", message, part=part, before=told_before, after=told_after
        )


def _flag(declaration: Written, key: str) -> bool:
    value: Any = declaration.get(key, False)
    return bool(value)
