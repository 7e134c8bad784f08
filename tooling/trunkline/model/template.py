"""The names in words that are spoken: `{{ slots.amount_due }}`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_FIELD = re.compile(r"\{\{([^{}]*)\}\}")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)+")


@dataclass(frozen=True, slots=True)
class Field:
    """A `{{ … }}` of a text: the name in it, or what stands there instead of one."""

    name: str
    is_name: bool

    @property
    def parts(self) -> tuple[str, ...]:
        """The name, split at its dots: `("slots", "amount_due")`."""
        return tuple(self.name.split("."))


def fields(text: str) -> tuple[Field, ...]:
    """Every field of a text, in order; a brace pair that is not closed is one without a name."""
    if "{{" not in text and "}}" not in text:
        return ()
    found = [_field(match[1]) for match in _FIELD.finditer(text)]
    rest = _FIELD.sub("", text)
    return (*found, *(Field(brace, False) for brace in ("{{", "}}") if brace in rest))


def slots_spoken(text: str) -> frozenset[str]:
    """The slots that a text reads."""
    return frozenset(
        field.parts[1] for field in fields(text) if field.is_name and field.parts[0] == "slots"
    )


def fill(text: str, words: Callable[[Field], str | None]) -> str:
    """The text with each field replaced by its words; a field stays where there are none."""

    def replaced(match: re.Match[str]) -> str:
        given = words(_field(match[1]))
        return match[0] if given is None else given

    return _FIELD.sub(replaced, text) if "{{" in text else text


def _field(inside: str) -> Field:
    name = inside.strip()
    return Field(name, _DOTTED.fullmatch(name) is not None)
