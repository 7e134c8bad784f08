"""Which way a policy rule moved: tightened, loosened, or in a way that nobody can tell."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.week import Week

Direction = Literal["tightened", "loosened", "unclear", "reworded"]
Rule = Mapping[str, Any]

# What says where a rule comes from; it decides nothing.
PROVENANCE = frozenset({"id", "description", "note", "source", "verified"})
_EVER, _NEVER = "0000-00-00", "9999-99-99"
_DAYS = {"h": 1, "d": 24}  # hours


def direction(before: Rule, after: Rule) -> Direction | None:
    """Which way a rule moved as a whole; None if it says the same.

    Looser in one respect and tighter in another is `unclear`: somebody may be called who was not.
    """
    found: set[Direction] = set()
    for key in before.keys() | after.keys():
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if key in PROVENANCE:
            found.add("reworded")
        else:
            found.add(_FIELDS.get(key, _unclear)(old, new))
    moved = found - {"reworded"}
    if len(moved) > 1:
        return "unclear"
    return next(iter(moved), "reworded") if found else None


def _unclear(old: Any, new: Any) -> Direction:
    return "unclear"


def _ordered(looser_when_more: bool, absent: float) -> Callable[[Any, Any], Direction]:
    """For a number: whether more of it is looser, and what it is where it is not written."""

    def moved(old: Any, new: Any) -> Direction:
        more = _number(new, absent) > _number(old, absent)
        return "loosened" if more == looser_when_more else "tightened"

    return moved


def _number(value: Any, absent: float) -> float:
    if value is None:
        return absent
    if isinstance(value, str):  # 31d, 12h
        return float(value[:-1]) * _DAYS[value[-1]]
    return float(value)


def _members(more_is_looser: bool) -> Callable[[Any, Any], Direction]:
    """For a list: whether more names in it are looser."""

    def moved(old: Any, new: Any) -> Direction:
        was, now = set(old or ()), set(new or ())
        if was < now:
            return "loosened" if more_is_looser else "tightened"
        if now < was:
            return "tightened" if more_is_looser else "loosened"
        return "reworded" if was == now else "unclear"

    return moved


def _level(old: Any, new: Any) -> Direction:
    return "tightened" if new in (None, "mandatory") else "loosened"


def _begins(old: Any, new: Any) -> Direction:
    return "loosened" if (new or _EVER) > (old or _EVER) else "tightened"


def _ends(old: Any, new: Any) -> Direction:
    return "loosened" if (new or _NEVER) < (old or _NEVER) else "tightened"


def _hours(old: Any, new: Any) -> Direction:
    try:
        was, now = Week.from_document(old or {}), Week.from_document(new or {})
    except Malformed:
        return "unclear"
    opened, closed = now.without(was), was.without(now)
    if opened and closed:
        return "unclear"
    if opened:
        return "loosened"
    return "tightened" if closed else "reworded"


def _scope(old: Any, new: Any) -> Direction:
    """Where a rule holds: nothing written is everywhere, and everywhere is the tightest."""
    found: set[Direction] = set()
    before, after = old or {}, new or {}
    for key in before.keys() | after.keys():
        was, now = _places(key, before.get(key)), _places(key, after.get(key))
        if was == now:
            continue
        if now is None or (was is not None and was < now):
            found.add("tightened")
        elif was is None or now < was:
            found.add("loosened")
        else:
            found.add("unclear")
    if not found:
        return "reworded"
    return next(iter(found)) if len(found) == 1 else "unclear"


def _places(key: str, value: Any) -> frozenset[str] | None:
    if value is None or (key == "voice" and value == "any"):
        return None
    return frozenset([value] if isinstance(value, str) else value)


def _limit(old: Any, new: Any) -> Direction:
    if not old or not new or old.get("currency") != new.get("currency"):
        return "unclear"
    return "loosened" if new["micros"] > old["micros"] else "tightened"


def _only_for(old: Any, new: Any) -> Direction:
    """A cap for one tenant, flow or tool instead of all lets the others spend."""
    if old is None:
        return "loosened"
    return "tightened" if new is None else "unclear"


def _reverse(moved: Direction) -> Direction:
    turned: Mapping[Direction, Direction] = {"loosened": "tightened", "tightened": "loosened"}
    return turned.get(moved, moved)


_FIELDS: Mapping[str, Callable[[Any, Any], Direction]] = {
    "level": _level,
    "effective_from": _begins,
    "effective_until": _ends,
    "applies_to": _scope,
    # requirements, obligations, purposes
    "facts": _members(more_is_looser=False),
    "disclosures": _members(more_is_looser=False),
    "requires": _members(more_is_looser=False),
    # windows and consents
    "hours": lambda old, new: _spans(old, new),
    "holidays": _members(more_is_looser=False),
    "lifted_by": _members(more_is_looser=True),
    "any_of": _members(more_is_looser=True),
    # frequency
    "max": _ordered(looser_when_more=True, absent=float("inf")),
    "days": _ordered(looser_when_more=False, absent=0),
    "rest_after_conversation_days": _ordered(looser_when_more=False, absent=0),
    "rest_after_refusal_days": _ordered(looser_when_more=False, absent=0),
    # spend
    "limit": _limit,
    # Only in one direction, only for one tenant, flow or tool
    "direction": lambda old, new: _reverse(_only_for(old, new)),
    "tenant": _only_for,
    "flow": _only_for,
    "tool": _only_for,
    # Do-Not-Call lists
    "max_age": _ordered(looser_when_more=True, absent=0),
}


def _spans(old: Any, new: Any) -> Direction:
    """`hours` of a window are hours of the week; of a frequency rule, how long it looks back."""
    if isinstance(old, Mapping) or isinstance(new, Mapping):
        return _hours(old, new)
    return _ordered(looser_when_more=False, absent=0)(old, new)
