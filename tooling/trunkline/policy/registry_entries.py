"""What a registry's file holds: numbers to add or delete, and places that are no entry."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Action = Literal["add", "delete"]
_ACTIONS: dict[str, Action] = {"a": "add", "add": "add", "d": "delete", "delete": "delete"}


@dataclass(frozen=True)
class Entries:
    """Numbers of one area code, as their seven digits, all to be added or all to be deleted."""

    action: Action
    area: str
    numbers: Sequence[int]


@dataclass(frozen=True)
class BadLine:
    """A place that is no entry; what it says is not kept, because it may hold a number.

    `column` (from 1) is told where a line may hold many entries.
    """

    file: str
    line: int
    column: int | None = None


def action_of(words: Iterable[str], changes: bool) -> Action | None:
    """What an entry's further words say is done with its number; None: it cannot be told.

    In a change list exactly one of them says it. In a full list none does: every number is on it.
    """
    plain = (word.strip(' \t\r"').lower() for word in words)
    named = {_ACTIONS[word] for word in plain if word in _ACTIONS}
    if not changes:
        return None if named else "add"
    return named.pop() if len(named) == 1 else None
