"""What changed in words: word by word, sentence by sentence."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from trunkline.diff.turning import turning_words

Status = Literal["same", "removed", "added"]

_TOKEN = re.compile(r"\{\{.*?\}\}|\w+(?:['\u2019-]\w+)*|\s+|[^\w\s]", re.DOTALL)
_WORD = re.compile(r"\w+(?:['\u2019]\w+)*")
_SENTENCE_END = re.compile(r"(?<=[.!?\u3002\uff01\uff1f;:])\s+|\n+")
# Aligning word by word costs the product of both lengths; longer texts are aligned by sentence.
_MOST_TOKENS = 3_000
_ALIKE = 0.5  # sentences with half of their words in common are one sentence, reworded


@dataclass(frozen=True)
class Piece:
    """A stretch of a word diff."""

    status: Status
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The two texts as one: what stayed, what went, what came. A word is never cut."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if len(old) > _MOST_TOKENS or len(new) > _MOST_TOKENS:
        old, new = _whole_sentences(before), _whole_sentences(after)
    pieces: list[Piece] = []
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pieces.append(Piece("same", "".join(old[old_from:old_to])))
            continue
        if old_to > old_from:
            pieces.append(Piece("removed", "".join(old[old_from:old_to])))
        if new_to > new_from:
            pieces.append(Piece("added", "".join(new[new_from:new_to])))
    return _readable(pieces)


def _readable(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Joins changes that only a space keeps apart: one replaced phrase reads better than three."""
    joined: list[Piece] = []
    removed = added = ""
    for index, piece in enumerate(pieces):
        gap = piece.status == "same" and not piece.text.strip()
        if gap and (removed or added) and index + 1 < len(pieces):
            removed, added = removed + piece.text, added + piece.text
        elif piece.status == "removed":
            removed += piece.text
        elif piece.status == "added":
            added += piece.text
        else:
            joined += _change(removed, added)
            removed = added = ""
            joined.append(piece)
    joined += _change(removed, added)
    return tuple(joined)


def _change(removed: str, added: str) -> Iterable[Piece]:
    if removed.strip() or (removed and not added):
        yield Piece("removed", removed)
    if added.strip() or (added and not removed):
        yield Piece("added", added)
    if removed and added and not removed.strip() and not added.strip():
        yield Piece("same", added)


def _whole_sentences(text: str) -> list[str]:
    return re.findall(r".*?(?:[.!?]\s+|\n+|$)", text, re.DOTALL)


def similarity(one: Iterable[str], other: Iterable[str]) -> float:
    """How much two collections of words have in common, 0 to 1; the same both ways round."""
    first, second = Counter(one), Counter(other)
    total = sum(first.values()) + sum(second.values())
    return 2 * sum((first & second).values()) / total if total else 1.0


def plain_words(text: str) -> list[str]:
    """The words of a text, without case and punctuation."""
    return [word.casefold().replace("\u2019", "'") for word in _WORD.findall(text)]


@dataclass(frozen=True)
class SentenceChanges:
    """How the sentences of two texts differ. `restriction` is true if a reworded sentence lost or
    gained a word that holds the model back."""

    removed: tuple[str, ...]
    added: tuple[str, ...]
    reworded: int
    restriction: bool


def sentence_changes(before: str, after: str, language: str) -> SentenceChanges:
    """Compares two texts sentence by sentence; order, case and spaces aside.

    In a language whose restricting words are not known, every reworded sentence counts as one.
    """
    old, new = _sentences(before), _sentences(after)
    common = Counter(_key(sentence) for sentence in old) & Counter(_key(text) for text in new)
    removed, added = _without(old, common), _without(new, common)
    reworded, restriction = 0, False
    for score, left, right in sorted(
        (
            (similarity(plain_words(left), plain_words(right)), left, right)
            for left in removed
            for right in added
        ),
        key=lambda pair: (-pair[0], *sorted(pair[1:])),
    ):
        if score < _ALIKE or left not in removed or right not in added:
            continue
        removed.remove(left)
        added.remove(right)
        reworded += 1
        restriction = restriction or turning_words(left, right, language).any
    return SentenceChanges(tuple(removed), tuple(added), reworded, restriction)


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if _key(part)]


def _key(sentence: str) -> str:
    return " ".join(plain_words(sentence))


def _without(sentences: list[str], common: Counter[str]) -> list[str]:
    left = Counter(common)
    kept: list[str] = []
    for sentence in sentences:
        key = _key(sentence)
        if left[key] > 0:
            left[key] -= 1
        else:
            kept.append(sentence)
    return kept
