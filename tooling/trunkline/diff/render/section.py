"""Fills a text of a given size with parts, and says which did not fit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_SPACE = 2  # the empty line between two parts
_NOTE = 400  # room for the sentence about what is missing


@dataclass(frozen=True)
class Part:
    """A part of a comment. `counts_as` says what is missing if it is left out; `under` are its
    headings, each of which stands once, before the first part that is shown below it."""

    text: str
    counts_as: str
    under: tuple[str, ...] = ()


def filled(parts: Sequence[Part], room: int) -> tuple[list[str], str]:
    """The texts that fit into `room` characters, in order, and a sentence about the others.

    Once a change does not fit, no later change is shown in its place: the reader must not take a
    minor one for all there is. Pictures and details that are too large are skipped one by one.
    """
    kept: list[str] = []
    headings: set[str] = set()
    missing: Counter[str] = Counter()
    left = room - (_NOTE if _length(parts) > room else 0)
    changes_end = False
    for part in parts:
        texts = [*(heading for heading in part.under if heading not in headings), part.text]
        needed = sum(len(text) + _SPACE for text in texts)
        is_change = part.counts_as in _CHANGES
        if (is_change and changes_end) or needed > left:
            missing[part.counts_as] += 1
            changes_end = changes_end or is_change
            continue
        kept += texts
        headings.update(part.under)
        left -= needed
    return kept, _sentence(missing) if missing else ""


def _length(parts: Sequence[Part]) -> int:
    headings = {heading for part in parts for heading in part.under}
    return sum(len(text) + _SPACE for text in (*headings, *(part.text for part in parts)))


_CHANGES = ("breaking", "risky", "minor")


def _sentence(missing: Counter[str]) -> str:
    changes = [f"{missing[word]} {word}" for word in _CHANGES if missing[word]]
    others = [
        f"{missing[word]} {word}{'s' * (missing[word] > 1)}"
        for word in ("picture", "list of details", "list of fingerprints")
        if missing[word]
    ]
    told = [f"{' and '.join(changes)} changes"] if changes else []
    return f"Not everything fits here: {', '.join([*told, *others])} left out."
