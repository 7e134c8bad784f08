"""What was and what is now, as JSON lines: only where that says more than the entry."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff

from trunkline.diff.change import Change
from trunkline.diff.render.inert import fenced
from trunkline.diff.render.places import is_words

_MOST_LINES = 60
# The message of these says all of it.
_SAID = frozenset(
    {
        *("proof-lost", "proof-gained", "worst-case-spend-grown", "worst-case-spend-shrunk"),
        *("flow-added", "flow-removed", "acceptance-added", "acceptance-removed"),
        *("disclosure-skipped", "disclosure-heard", "route-opened", "route-closed"),
    }
)


def detail(change: Change) -> str | None:
    """The lines; None where the entry already says it all."""
    if (
        is_words(change)
        or change.kind in _SAID
        or not any(isinstance(value, dict | list) for value in (change.before, change.after))
        or all(_is_said(value, change.message) for value in _differing(change))
    ):
        return None
    lines = list(unified_diff(_lines(change.before), _lines(change.after), n=3, lineterm=""))[2:]
    kept = [line for line in lines if not line.startswith("@@")]
    if len(kept) > _MOST_LINES:
        left = len(kept) - _MOST_LINES
        kept = [*kept[:_MOST_LINES], f"… {left} more lines"]
    return fenced("\n".join(kept), "diff")


def _differing(change: Change) -> Iterator[str]:
    """Every value, as text, that stands in one of the two and not in the other."""
    before, after = (Counter(_values(value)) for value in (change.before, change.after))
    yield from (before - after) + (after - before)


def _values(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _values(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _values(item)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif value is not None:
        yield str(value)


def _is_said(value: str, message: str) -> bool:
    """True if the message holds the value as words of its own."""
    line = " ".join(value.split())
    return re.search(rf"(?<!\w){re.escape(line)}(?!\w)", message) is not None


def _lines(value: object) -> list[str]:
    if value is None:
        return []
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).split("\n")
