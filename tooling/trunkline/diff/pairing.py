"""Which exit of one revision is which of the other."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from trunkline.diff.exits import Exit
from trunkline.diff.words import plain_words, similarity


@dataclass(frozen=True)
class Pairing:
    """Which exit of the one revision is which of the other."""

    pairs: tuple[tuple[Exit, Exit], ...]
    removed: tuple[Exit, ...]
    added: tuple[Exit, ...]


def pair(before: Sequence[Exit], after: Sequence[Exit]) -> Pairing:
    """Matches the exits of two revisions, the surest first; the same both ways round."""
    left, right = list(before), list(after)
    pairs: list[tuple[Exit, Exit]] = []
    for same in (
        lambda old, new: old == new,
        lambda old, new: (
            (old.how, old.to, old.when) == (new.how, new.to, new.when) and old.guard == new.guard
        ),
        lambda old, new: (old.how, old.to, old.when) == (new.how, new.to, new.when),
        lambda old, new: old.how == new.how and not old.is_edge,
        lambda old, new: old.how == new.how == "when" and words_of(old) == words_of(new),
        lambda old, new: old.how == new.how and old.to == new.to,
        lambda old, new: old.how == new.how != "when" and old.guard == new.guard != frozenset(),
        lambda old, new: old.how == new.how == "else",
    ):
        pairs += _matched(left, right, same)
    return Pairing(tuple(pairs), tuple(left), tuple(right))


def _matched(
    left: list[Exit], right: list[Exit], same: Callable[[Exit, Exit], bool]
) -> list[tuple[Exit, Exit]]:
    """Takes pairs out of both lists, those with the most in common first."""
    candidates = sorted(
        (
            (-_alike(old, new), i + j, abs(i - j), i, j)
            for i, old in enumerate(left)
            for j, new in enumerate(right)
            if same(old, new)
        ),
    )
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for *_, i, j in candidates:
        if i not in chosen and j not in taken:
            chosen[i] = j
            taken.add(j)
    found = [(left[i], right[j]) for i, j in sorted(chosen.items())]
    left[:] = [exit for i, exit in enumerate(left) if i not in chosen]
    right[:] = [exit for j, exit in enumerate(right) if j not in taken]
    return found


def _alike(old: Exit, new: Exit) -> float:
    return similarity([*words_of(old), *old.guard], [*words_of(new), *new.guard])


def words_of(exit: Exit) -> list[str]:
    """The words by which the model chooses an exit, without case and punctuation."""
    return plain_words(exit.when)
