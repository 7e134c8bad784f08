"""How a comparison says things: words in quotes, ids in ticks, money, lists."""

from collections.abc import Iterable, Mapping, Sequence

from trunkline_runtime.table.canonical import Json

_LONGEST_QUOTE = 160
_MICROS = 1_000_000


def quoted(text: str) -> str:
    """Words of a flow in quotation marks, cut where they are long."""
    line = " ".join(text.split())
    if len(line) > _LONGEST_QUOTE:
        line = line[: _LONGEST_QUOTE - 1].rstrip() + "…"
    return f"“{line}”"


def ticked(name: str) -> str:
    """An id, as code."""
    return f"`{name}`"


def listed(names: Iterable[str], most: int = 8) -> str:
    """Ids as code, with `and` before the last; how many more where there are many."""
    ticks = [ticked(name) for name in names]
    if len(ticks) > most:
        return f"{', '.join(ticks[:most])} and {len(ticks) - most} more"
    if len(ticks) < 2:
        return "".join(ticks)
    return f"{', '.join(ticks[:-1])} and {ticks[-1]}"


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence, with `and` before the last."""
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def plural(number: int, word: str) -> str:
    """`1 flow`, `2 flows`."""
    return f"{number} {word}{'s' * (number != 1)}"


# What a tool or a node does to the world, by its effect.
_EFFECTS: Mapping[str, str] = {
    "contact": "may contact people",
    "payment": "takes money",
    "reads_pii": "reads personal data",
    "transfer": "puts calls through",
    "writes": "writes data",
}


def doing(effects: Iterable[str]) -> str:
    """` (may contact people, takes money)`; empty if there are no effects."""
    told = [_EFFECTS.get(effect, effect) for effect in sorted(effects)]
    return f" ({', '.join(told)})" if told else ""


def tool_that(effect: str) -> str:
    """`a tool that takes money`, of an effect."""
    return f"a tool that {_EFFECTS.get(effect, f'does {ticked(effect)}')}"


def instead(now: Json, was: Json) -> str:
    """A value and the one before it: `a` instead of `b`, also where one of them is not there."""
    if was is None or was in ("", [], {}, ()):
        return f"{shown(now)}, where nothing was set"
    if now is None or now in ("", [], {}, ()):
        return f"no longer {shown(was)}"
    return f"{shown(now)} instead of {shown(was)}"


def path_of(trace: Iterable[str]) -> str:
    """A path through nodes."""
    return " → ".join(trace)


def money(micros: int, currency: str) -> str:
    """Micro-units of a currency as people write them: `USD 0.30`."""
    return f"{currency} {_units(micros, 2)}"


def grown(now: int, was: int, currency: str) -> str:
    """A sum, and how much more or less it is: `USD 0.630, +USD 0.024 (+4%)`; even decimals."""
    places = max(_places(now), _places(was), _places(now - was))
    sign = "+" if now > was else "−"  # noqa: RUF001
    more = f"{sign}{currency} {_units(abs(now - was), places)}"
    share = f" ({sign}{abs(now - was) / was:.0%})" if was else ""
    return f"{currency} {_units(now, places)}, {more}{share}"


def _units(micros: int, places: int) -> str:
    units, rest = divmod(micros, _MICROS)
    return f"{units:,}.{f'{rest:06d}'[: max(places, _places(micros))]}"


def _places(micros: int) -> int:
    """The decimals that an amount needs; money has two at least."""
    return max(2, len(f"{abs(micros) % _MICROS:06d}".rstrip("0")))


def shown(value: Json) -> str:
    """A plain value as a reader wants it."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        return ticked(value)
    if isinstance(value, list | tuple):
        return listed(str(item) for item in value) or "nothing"
    if isinstance(value, Mapping):
        if value.keys() == {"micros", "currency"}:
            return money(int(str(value["micros"])), str(value["currency"]))
        parts = [f"{key}: {_inner(item)}" for key, item in value.items()]
        return ticked(", ".join(parts)) if parts else "nothing"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _inner(value: Json) -> str:
    if isinstance(value, Mapping):
        if value.keys() == {"micros", "currency"}:
            return shown(value)
        return "{" + ", ".join(f"{key}: {_inner(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inner(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
