"""Whom a tool that contacts would reach: the other party, or a number among its arguments."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.request import ToolRequest
from trunkline_runtime.table.canonical import Json

# Effects that reach somebody's phone.
REACHING = frozenset({"contact", "transfer"})

_SEPARATORS = re.compile(r"[\s().\-/\u00a0\u2010-\u2015]+")
_SCHEMES = ("tel:", "sms:", "smsto:", "callto:", "whatsapp:")
_DIALABLE = re.compile(r"\+?\d{7,}")
_NAMED = re.compile(
    r"(^|_)(to|number|numbers|phone|phones|mobile|cell|msisdn|recipient|recipients|tel|telephone"
    r"|destination|callee|e164)(_|$)"
)


@dataclass(frozen=True)
class Recipient:
    """A number as it would be dialled; `argument` names where it stands, None is the party."""

    number: str
    argument: str | None = None


def recipients(request: ToolRequest) -> tuple[Recipient, ...]:
    """Everybody whom this call of a tool would reach, each number once.

    A number in an argument replaces the party: a text to another number does not reach the person
    on the line. Texts that merely mention a number are no recipients.
    """
    entry = request.tool
    if entry is None or not entry.effects & REACHING:
        return ()
    found = {
        recipient.number: recipient
        for name, value in request.args.items()
        for recipient in _in_value(value, name, name, _is_phone(entry, name))
    }
    if not found and request.party is not None:
        return (Recipient(request.party),)
    return tuple(found.values())


def _in_value(value: Json, argument: str, name: str, declared: bool) -> Iterator[Recipient]:
    if isinstance(value, str):
        number = _dialable(value, declared or _NAMED.search(name.lower()) is not None)
        if number is not None:
            yield Recipient(number, argument)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _in_value(inner, argument, key, False)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _in_value(inner, argument, name, declared)
    elif (
        isinstance(value, int)
        and not isinstance(value, bool)
        and len(str(value)) >= 7
        and _NAMED.search(name.lower())
    ):
        yield Recipient(str(value), argument)


def _dialable(text: str, meant: bool) -> str | None:
    """The number in a text that is nothing but a number, without its separators."""
    bare = text.strip()
    scheme = next((scheme for scheme in _SCHEMES if bare.lower().startswith(scheme)), "")
    number = _SEPARATORS.sub("", bare[len(scheme) :]).partition(";")[0].partition("?")[0]
    # Digits in other scripts would be dialled all the same.
    number = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in number)
    if not _DIALABLE.fullmatch(number):
        return None
    return number if scheme or meant or number.startswith("+") else None


def _is_phone(entry: ToolEntry, argument: str) -> bool:
    declared = entry.parameters.get("properties", {}).get(argument, {})
    if not isinstance(declared, Mapping):
        return False
    return declared.get("format") in ("phone", "e164", "tel") or str(
        declared.get("pattern", "")
    ).startswith(r"^\+")
