"""The nearest known word to one that is unknown, for "did you mean"."""

from collections.abc import Iterable
from difflib import get_close_matches

# Longer words are not names that somebody mistyped, and comparing them is slow.
_LONGEST = 80


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` was most likely meant to be, or None if none is near."""
    if len(word) > _LONGEST:
        return None
    candidates = sorted(known)
    folded = {candidate.casefold(): candidate for candidate in reversed(candidates)}
    close = get_close_matches(word.casefold(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest known word, or an empty string."""
    found = nearest(word, known)
    return f"Did you mean `{found}`?" if found is not None else ""
