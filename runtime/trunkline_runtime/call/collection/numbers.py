"""Whole numbers and amounts: written, with separators and currency, or in words."""

import re

from trunkline_runtime.call.collection.digits import spoken_digits
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.money_words import MONEY_WORDS, MoneyWords
from trunkline_runtime.call.collection.number_lists import number_words
from trunkline_runtime.table.canonical import Json

_MOST = 1e15
_COMMA_DECIMAL = frozenset({"de", "fr", "es", "it", "pt", "nl"})
# Spanish with a decimal point.
_POINT_DECIMAL = frozenset({"es-US", "es-MX", "es-PR", "es-GT", "es-DO", "es-PA"})
_SIGNS = re.compile(r"[$€£¥]")
_GROUPED = re.compile(r"[0-9]{1,3}(?:(?P<mark>[,. '])[0-9]{3})(?:(?P=mark)[0-9]{3})*")
_ONE_MARK = re.compile(r"(?P<whole>[0-9]+)[,.](?P<decimals>[0-9]+)")


def whole_number(raw: Json, hearing: Hearing) -> int:
    """An integer from a number or a text, also in digits one by one. Raises NotUnderstood."""
    if isinstance(raw, str) and not re.search(r"[,.]", raw):
        digits = spoken_digits(raw, hearing.language)
        if digits is not None and len(raw.split()) > 1 and _spoken(raw.lower(), hearing) is None:
            raw = digits
    value = amount(raw, hearing)
    if not value.is_integer():
        raise NotUnderstood("it must be a whole number")
    return int(value)


def amount(raw: Json, hearing: Hearing) -> float:
    """A number from a number or a text ("$1,234.50", "forty nine ninety", "zwölf Euro fünfzig").

    Raises NotUnderstood, also for what may be two amounts ("two fifty").
    """
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise NotUnderstood("it must be a number")
    if not isinstance(raw, str):
        # compared before it is made a float: a whole number may be too long for one
        value = float(raw) if -_MOST <= raw <= _MOST else None
    else:
        value = _read(raw, hearing)
    if value is None or value != value or abs(value) > _MOST:
        raise NotUnderstood("it must be a number")
    return value


def _read(text: str, hearing: Hearing) -> float | None:
    money = MONEY_WORDS.get(hearing.language.split("-")[0], MONEY_WORDS["en"])
    said = " ".join(
        _SIGNS.sub(" ", text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")).split()
    )
    said = money.about.sub("", said)
    words = number_words(hearing.language)
    sign = 1.0
    if words is not None and said.startswith(f"{words.minus} "):
        sign, said = -1.0, said.removeprefix(f"{words.minus} ")
    elif re.match(r"[-\N{MINUS SIGN}]\s*[0-9]", said):
        sign, said = -1.0, said[1:].strip()
    value = _with_money(said, money, hearing)
    return None if value is None else sign * value


def _with_money(said: str, money: MoneyWords, hearing: Hearing) -> float | None:
    # first as a plain number: "deux cents" is two hundred and no two cents
    plain = _number(said, hearing)
    if plain is not None:
        return plain
    if match := money.both.fullmatch(said):
        whole, rest = _number(match["major"], hearing), match["minor"]
        small = 0.0 if rest is None else _number(rest, hearing)
        if whole is None or small is None:
            return None
        if rest is not None and not (
            whole.is_integer() and small.is_integer() and 0 <= small < 100
        ):
            return None
        if rest is not None and small < 10 and match["unit"] is None:
            return None  # "twelve dollars five" is 12.05 to some and 12.50 to others
        return round(whole + small / 100, 4)
    if match := money.minor_alone.fullmatch(said):
        small = _number(match["minor"], hearing)
        return None if small is None else round(small / 100, 4)
    return _price(said, hearing)


def _number(said: str, hearing: Hearing) -> float | None:
    written = _written(said, hearing.language)
    return written if written is not None else _spoken(said, hearing)


def _spoken(said: str, hearing: Hearing) -> float | None:
    words = number_words(hearing.language)
    return None if words is None else words.number(said)


def _price(said: str, hearing: Hearing) -> float | None:
    """A price without its units: "forty nine ninety". Not "two fifty", which may be 250."""
    words = number_words(hearing.language)
    parts = None if words is None or words.glued else words.parts(said)
    if (
        words is None
        or parts is None
        or len(parts) != 2
        or any(p not in words.small for p in parts)
    ):
        return None
    whole, cents = (words.small[part] for part in parts)
    return whole + cents / 100 if whole >= 10 and cents >= 10 else None


def _written(said: str, language: str) -> float | None:
    """Digits with marks. A mark before three digits is read as the language does; any other
    single one can only be that of decimals."""
    text = re.sub(r"[\u00a0\u202f\u2009]", " ", said)
    if re.fullmatch(r"[0-9]{1,16}", text):
        return float(text)
    comma = language.split("-")[0] in _COMMA_DECIMAL and language not in _POINT_DECIMAL
    grouped = _GROUPED.match(text)
    if grouped and (grouped["mark"] != ("," if comma else ".") or text.count(grouped["mark"]) > 1):
        whole, rest = re.sub(r"[^0-9]", "", grouped[0]), text[grouped.end() :]
        decimals = re.fullmatch(r"[,.]([0-9]+)", rest)
        if rest == "":
            return float(whole)
        if decimals is not None and rest[0] != grouped["mark"]:
            return float(f"{whole}.{decimals[1]}")
        return None
    single = _ONE_MARK.fullmatch(text)
    return float(f"{single['whole']}.{single['decimals']}") if single else None
