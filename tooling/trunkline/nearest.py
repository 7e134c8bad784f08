"""The nearest known word to one that is unknown, for "did you mean" and for mending names."""

from collections.abc import Iterable

# Longer words are not names that somebody mistyped, and comparing them is slow.
_LONGEST = 80
# Below this, words that share a few letters count: `done` and `abandoned` do at 0.62.
_NEAR = 0.65
# A word is put in another's place by itself only if it is nearer than what is worth a question.
_SURE = 0.75


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was most likely meant to be, or None if none is near."""
    close = _close(word, known, 1)
    return close[0] if close else None


def only_near(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is a slip of: quite near, and no other is near at all."""
    close = _close(word, known, 2)
    if len(close) != 1:
        return None
    from difflib import SequenceMatcher

    one, other = word.casefold(), close[0].casefold()
    sure = sorted(one) == sorted(other) or SequenceMatcher(None, one, other).ratio() >= _SURE
    return close[0] if sure else None


def nearest_first(word: str, known: Iterable[str]) -> list[str]:
    """Every known word: first those that `word` may have been meant to be, then by the alphabet."""
    names = sorted(known)
    close = _close(word, names, len(names)) if names else []
    return [*close, *(name for name in names if name not in close)]


def _close(word: str, known: Iterable[str], most: int) -> list[str]:
    if len(word) > _LONGEST:
        return []
    # Loaded when a word is unknown: most runs of a command know all of them.
    from difflib import get_close_matches

    candidates = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in reversed(candidates)}
    found = get_close_matches(word.casefold(), list(folded), n=most, cutoff=_NEAR)
    return [folded[each] for each in found]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known word, or an empty string."""
    found = nearest(word, known)
    return f"Did you mean `{found}`?" if found is not None else ""
