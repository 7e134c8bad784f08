"""How a comparison says things: words in quotes, ids in ticks, money, lists."""

from collections.abc import Iterable, Mapping

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


def path_of(trace: Iterable[str]) -> str:
    """A path through nodes."""
    return " → ".join(trace)


def money(micros: int, currency: str) -> str:
    """Micro-units of a currency as people write them: `USD 0.30`."""
    units, rest = divmod(micros, _MICROS)
    cents = f"{rest:06d}".rstrip("0").ljust(2, "0")
    return f"{currency} {units:,}.{cents}"


def amounts(by_currency: Mapping[str, int]) -> str:
    """Several currencies in one line."""
    return (
        ", ".join(money(micros, name) for name, micros in sorted(by_currency.items())) or "nothing"
    )


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
