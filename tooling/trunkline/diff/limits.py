"""Silence and limits: how long a call waits, how long it may last, how often it may turn."""

from collections.abc import Iterator
from typing import Any

from trunkline.diff.change import Edit
from trunkline.diff.exits import Written
from trunkline.diff.phrases import shown
from trunkline.diff.speech import say_edits
from trunkline_runtime.table.parts import (
    DEFAULT_MAX_MINUTES,
    DEFAULT_MAX_VISITS,
    DEFAULT_SILENCE_SECONDS,
    DEFAULT_SILENCE_TIMES,
)

_NOTHING: dict[str, Any] = {}
_LIMITS = {
    "max_visits": ("visits to a node", DEFAULT_MAX_VISITS),
    "max_minutes": ("minutes", DEFAULT_MAX_MINUTES),
}


def limit_edits(before: Written, after: Written) -> Iterator[Edit]:
    """The differences in `limits`, but for where a call goes at one, which is an exit."""
    old, new = before.get("limits", _NOTHING), after.get("limits", _NOTHING)
    for key, (unit, default) in _LIMITS.items():
        was, now = old.get(key, default), new.get(key, default)
        if was != now:
            yield Edit(
                "limits-raised" if now > was else "limits-lowered",
                f"a call may take up to {shown(now)} {unit} instead of {shown(was)}",
                part=f"limits {key}",
                before=was,
                after=now,
            )


def silence_edits(before: Written, after: Written, language: str) -> Iterator[Edit]:
    """The differences in `silence`, but for where a call goes after it, which is an exit."""
    old, new = before.get("silence", _NOTHING), after.get("silence", _NOTHING)
    where = "while they are silent"
    yield from say_edits(old.get("say"), new.get("say"), "silence", where, language)
    ours = ("say", "to")
    was, now = ({key: one[key] for key in one if key not in ours} for one in (old, new))
    if was != now:
        message = f"a silent caller is asked {_waiting(now)} instead of {_waiting(was)}"
        yield Edit("silence-changed", message, part="silence", before=was, after=now)


def _waiting(silence: Written) -> str:
    seconds = silence.get("after_seconds", DEFAULT_SILENCE_SECONDS)
    times = silence.get("times", DEFAULT_SILENCE_TIMES)
    rest = {key: value for key, value in silence.items() if key not in ("after_seconds", "times")}
    more = f", {shown(rest)}" if rest else ""
    return f"after {shown(seconds)} seconds, {times} times{more}"
