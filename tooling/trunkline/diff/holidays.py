"""Holidays in two revisions: days on which a calling window that reads the list is closed."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.phrases import listed, ticked
from trunkline.diff.reached import Reached

Lists = Mapping[str, Any]


def holiday_edits(before: Lists, after: Lists, reached: Reached) -> Iterator[Edit]:
    """Days that are closed no longer, or newly; outside of `from` to `until` all are closed."""
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        opened, closed = (
            _closed(old, new) - _closed(new, old),
            _closed(new, old) - _closed(old, new),
        )
        if opened and closed:
            kind, told = "rule-changed", f"opens {len(opened)} days and closes {len(closed)}"
        elif opened:
            kind, told = "rule-loosened", f"opens {_days(opened)}"
        elif closed:
            kind, told = "rule-tightened", f"closes {_days(closed)}"
        elif old != new:
            kind, told = "rule-reworded", "has other names or sources"
        else:
            continue
        yield Edit(
            kind,
            f"the list of holidays {ticked(name)} {told}",
            part=f"holidays {name}",
            before=sorted(opened),
            after=sorted(closed),
            circumstances=frozenset({"mandatory"}),
            cause=Cause("policy", reached.path),
            affects=reached.by({"applies_to": {"direction": "outbound"}}),
        )


def _closed(one: Any, other: Any) -> frozenset[str]:
    """The days that `one` closes, of all days that either list speaks of."""
    if one is None:
        return frozenset()  # no list closes nothing
    first, last = one.get("from", ""), one.get("until", "")
    days = {day["date"] for found in (one, other) if found for day in found.get("days", ())}
    ends = {found[key] for found in (one, other) if found for key in ("from", "until")}
    own = {day["date"] for day in one.get("days", ())}
    return frozenset(day for day in days | ends if day in own or not first <= day <= last)


def _days(days: frozenset[str]) -> str:
    return listed(sorted(days), most=4)
