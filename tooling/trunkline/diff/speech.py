"""What callers hear and what the model is told: words, sentences, disclosures."""

from collections.abc import Iterator, Sequence
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.exits import Written
from trunkline.diff.phrases import listed
from trunkline.diff.words import sentence_changes

_SPOKEN = {
    "say": "the words spoken here",
    "say_again": "the words spoken on a later visit",
}


def speech_edits(before: Written, after: Written, language: str) -> Iterator[Edit]:
    """The differences between the words of two versions of a node."""
    confirms = before.get("kind") == after.get("kind") == "confirm"
    for key, subject in _SPOKEN.items():
        old, new = before.get(key), after.get(key)
        if confirms and key == "say" and old != new:
            message = "the exact words to which the caller says yes are others"
            yield Edit("confirm-words-changed", message, part="say", before=old, after=new)
        else:
            yield from say_edits(old, new, key, subject=subject)
    yield from _instruction_edits(before.get("instructions"), after.get("instructions"), language)
    yield from _disclosure_edits(before.get("speak", ()), after.get("speak", ()))


def say_edits(
    old: Any, new: Any, part: str, where: str = "", subject: str = "the words spoken"
) -> Iterator[Edit]:
    """Words spoken as they stand: added, emptied or changed."""
    if old == new:
        return
    place = f"{subject} {where}".strip()
    if old is None:
        yield Edit("say-added", f"new: {place}", part=f"{part} {where}", after=new)
    elif new is None:
        yield Edit("say-removed", f"gone: {place}", part=f"{part} {where}", before=old)
    else:
        message = f"{place} are others"
        yield Edit("say-changed", message, part=f"{part} {where}", before=old, after=new)


def _instruction_edits(old: Any, new: Any, language: str) -> Iterator[Edit]:
    if old == new:
        return
    part = "instructions"
    if old is None:
        yield Edit("instructions-added", "the model gets instructions here", part=part, after=new)
    elif new is None:
        yield Edit(
            "instructions-removed",
            "the model has no instructions here any more",
            part=part,
            before=old,
        )
    else:
        kind, message = _instruction_change(old, new, language)
        yield Edit(kind, message, part=part, before=old, after=new)


def _instruction_change(old: str, new: str, language: str) -> tuple[str, str]:
    """The kind of a change of instructions, and what to say; the worst thing that happened."""
    found = sentence_changes(old, new, language)
    gone, came = len(found.removed), len(found.added)
    if (gone and came) or (found.restriction and (gone or came)):
        return "sentence-replaced", f"instructions: {_count(gone)} gone, {_count(came)} new"
    if gone:
        return "sentence-removed", f"{_count(gone)} taken out of the instructions"
    if found.restriction:
        message = "the instructions are reworded where they hold the model back"
        return "restriction-changed", message
    if came:
        return "sentence-added", f"{_count(came)} added to the instructions"
    return "instructions-reworded", "the instructions are reworded"


def _count(number: int) -> str:
    return "1 sentence" if number == 1 else f"{number} sentences"


def _disclosure_edits(before: Sequence[str], after: Sequence[str]) -> Iterator[Edit]:
    gone = [name for name in before if name not in after]
    came = [name for name in after if name not in before]
    whole: dict[str, Any] = {"part": "speak", "before": list(before), "after": list(after)}
    if gone:
        yield Edit("disclosure-removed", f"{listed(gone)} is no longer disclosed here", **whole)
    if came:
        yield Edit("disclosure-added", f"{listed(came)} is disclosed here", **whole)
    if not gone and not came and list(before) != list(after):
        yield Edit("disclosure-order-changed", "disclosures come in another order", **whole)
