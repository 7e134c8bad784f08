"""Fills a text of a given size with parts, and says which did not fit."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_SPACE = 2  # the empty line between two parts
_NOTE = 400  # room for the sentence about what is missing


@dataclass(frozen=True)
class Part:
    """A part of a comment. `counts_as` says what is missing if it is left out; a heading counts
    as nothing, and is left out with whatever stands below it."""

    text: str
    counts_as: str = ""


def filled(parts: Sequence[Part], room: int) -> tuple[list[str], str]:
    """The texts that fit into `room` characters, in order, and a sentence about the others.

    Once a change does not fit, no later change is shown in its place: the reader must not take a
    harmless one for all there is. Pictures and details that are too large are skipped one by one.
    """
    if sum(len(part.text) + _SPACE for part in parts) <= room:
        return [part.text for part in parts], ""
    left = room - _NOTE
    kept: list[str] = []
    heading: list[str] = []
    missing: Counter[str] = Counter()
    changes_end = False
    for part in parts:
        if not part.counts_as:
            heading.append(part.text)
            continue
        is_change = part.counts_as in _CHANGES
        needed = sum(len(text) + _SPACE for text in (*heading, part.text))
        if (is_change and changes_end) or needed > left:
            missing[part.counts_as] += 1
            changes_end = changes_end or is_change
            continue
        kept += [*heading, part.text]
        heading = []
        left -= needed
    return kept, _sentence(missing)


_CHANGES = ("breaking", "risky", "harmless")


def _sentence(missing: Counter[str]) -> str:
    changes = [f"{missing[word]} {word}" for word in _CHANGES if missing[word]]
    others = [
        f"{missing[word]} {word}{'s' * (missing[word] > 1)}"
        for word in ("picture", "list of details", "list of fingerprints")
        if missing[word]
    ]
    told = [f"{' and '.join(changes)} changes"] if changes else []
    return f"Not everything fits here: {', '.join([*told, *others])} left out."
