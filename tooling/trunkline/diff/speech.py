"""What callers hear and what the model is told: words, sentences, disclosures."""

from collections.abc import Iterator, Sequence
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.exits import Written
from trunkline.diff.phrases import listed, quoted
from trunkline.diff.turning import Turned, sentence_kind, turning_words
from trunkline.diff.words import sentence_changes

_SPOKEN = {"say": "here", "say_again": "here on a later visit"}
NOT_JUDGED = "wording only, not judged"


def speech_edits(before: Written, after: Written, language: str) -> Iterator[Edit]:
    """The differences between the words of two versions of a node."""
    confirms = before.get("kind") == after.get("kind") == "confirm"
    for key, where in _SPOKEN.items():
        old, new = before.get(key), after.get(key)
        if confirms and key == "say" and old != new:
            message = "callers now say yes, or no, to other words"
            yield Edit("confirm-words-changed", message, part="say", before=old, after=new)
        else:
            yield from say_edits(old, new, key, where, language)
    yield from _instruction_edits(before.get("instructions"), after.get("instructions"), language)
    yield from _disclosure_edits(before.get("speak", ()), after.get("speak", ()))


def say_edits(old: Any, new: Any, part: str, where: str, language: str) -> Iterator[Edit]:
    """Words spoken as they stand: added, emptied or changed; `where` ends a sentence."""
    if old == new:
        return
    whole: dict[str, Any] = {"part": f"{part} {where}", "before": old, "after": new}
    if old is None:
        yield Edit("say-added", f"callers now hear these words {where} ({NOT_JUDGED})", **whole)
    elif new is None:
        yield Edit("say-removed", f"callers no longer hear these words {where}", **whole)
    else:
        turned = turning_words(old, new, language)
        told = _turned(turned) if turned.words else f"({NOT_JUDGED})"
        yield Edit(
            "say-changed",
            f"callers hear other words {where} {told}",
            circumstances=frozenset({"restriction"} if turned.words else ()),
            **whole,
        )


def _instruction_edits(old: Any, new: Any, language: str) -> Iterator[Edit]:
    if old == new:
        return
    whole: dict[str, Any] = {"part": "instructions", "before": old, "after": new}
    if old is None:
        turned = turning_words("", new, language)
        told = _turned(turned) if turned.words else f"({NOT_JUDGED})"
        yield Edit(
            "instructions-added",
            f"the model gets instructions here, where it had none {told}",
            circumstances=frozenset({"restriction"} if turned.words else ()),
            **whole,
        )
    elif new is None:
        message = "the model has no instructions here any more"
        yield Edit("instructions-removed", message, **whole)
    else:
        kind, message, restricts = _instruction_change(old, new, language)
        circumstances = frozenset({"restriction"} if restricts else ())
        yield Edit(kind, message, circumstances=circumstances, **whole)


def _instruction_change(old: str, new: str, language: str) -> tuple[str, str, bool]:
    """The kind of a change of instructions, what to say of it, and whether it holds the model
    back; the worst thing that happened."""
    found = sentence_changes(old, new, language)
    gone, came = found.removed, found.added
    restricts = any(turning_words("", text, language).words for text in came)
    if (gone and came) or (found.restriction and (gone or came)):
        parts = [
            f"{_sentences(texts, language)} {told} the instructions"
            for texts, told in ((gone, "taken out of"), (came, "added to"))
            if texts
        ]
        return "sentence-replaced", "; ".join(parts), True
    if gone:
        return (
            "sentence-removed",
            f"{_sentences(gone, language)} taken out of the instructions",
            True,
        )
    if found.restriction:
        told = _turned(turning_words(old, new, language))
        return "restriction-changed", f"the instructions say something else {told}".rstrip(), True
    if came:
        told = "" if restricts else f" ({NOT_JUDGED})"
        return (
            "sentence-added",
            f"{_sentences(came, language)} added to the instructions{told}",
            restricts,
        )
    return "instructions-reworded", f"the instructions are reworded ({NOT_JUDGED})", False


def _sentences(texts: Sequence[str], language: str) -> str:
    """`a prohibition was (“Never …”)`, with the worst sentence first."""
    kinds = [sentence_kind(text, language) for text in texts]
    for kind in ("prohibition", "condition", "sentence"):
        if kind in kinds:
            text = quoted(texts[kinds.index(kind)])
            if len(texts) == 1:
                return f"a {kind} ({text}) was"
            among = "" if kind == "sentence" else f", among them a {kind}"
            return f"{len(texts)} sentences{among} ({text}) were"
    raise ValueError("no sentences")


def _turned(turned: Turned) -> str:
    """`: `not` is gone, `always` is new`, in brackets."""
    parts = [
        f"{listed(words)} {'is' if len(words) == 1 else 'are'} {told}"
        for words, told in ((turned.gone, "gone"), (turned.come, "new"))
        if words
    ]
    return f"({', '.join(parts)})" if parts else ""


def _disclosure_edits(before: Sequence[str], after: Sequence[str]) -> Iterator[Edit]:
    gone = [name for name in before if name not in after]
    came = [name for name in after if name not in before]
    whole: dict[str, Any] = {"part": "speak", "before": list(before), "after": list(after)}
    if gone:
        yield Edit(
            "disclosure-removed", f"callers no longer hear {_disclosures(gone)} here", **whole
        )
    if came:
        yield Edit("disclosure-added", f"callers now hear {_disclosures(came)} here", **whole)
    if not gone and not came and list(before) != list(after):
        yield Edit(
            "disclosure-order-changed",
            "callers hear the same disclosures in another order",
            **whole,
        )


def _disclosures(names: Sequence[str]) -> str:
    return f"the disclosure{'s' * (len(names) != 1)} {listed(names)}"
