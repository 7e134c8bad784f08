"""Days as Spanish and French speakers say them ("el cuatro de julio", "lundi 7 décembre")."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class DayWords:
    """The words of one language, in small letters. `near` are days from today; `shape` finds a day
    in a month: `day`, `month` and `year`."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]
    near: Mapping[str, int]
    numbers: Mapping[str, int]
    shape: re.Pattern[str]
    weekday: re.Pattern[str]


def _numbered(words: str, start: int = 1) -> dict[str, int]:
    """A word may have several spellings: `sábado/sabado`."""
    return {
        spelling: number
        for number, word in enumerate(words.split(), start=start)
        for spelling in word.replace("_", " ").split("/")
    }


def _either(words: Mapping[str, int]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_ES_MONTHS = _numbered(
    "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre "
    "diciembre"
)
_ES_WEEKDAYS = _numbered("lunes martes miércoles/miercoles jueves viernes sábado/sabado domingo", 0)
_ES_NUMBERS = _numbered(
    "uno/primero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciséis/dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiún veintidós/"
    "veintidos veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete "
    "veintiocho veintinueve treinta treinta_y_uno"
)
_FR_MONTHS = _numbered(
    "janvier février/fevrier mars avril mai juin juillet août/aout septembre octobre novembre "
    "décembre/decembre"
)
_FR_WEEKDAYS = _numbered("lundi mardi mercredi jeudi vendredi samedi dimanche", 0)
_FR_NUMBERS = _numbered(
    "premier/1er/un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
    "quinze seize dix-sept dix-huit dix-neuf vingt vingt_et_un/vingt-et-un vingt-deux vingt-trois "
    "vingt-quatre vingt-cinq vingt-six vingt-sept vingt-huit vingt-neuf trente trente_et_un/"
    "trente-et-un"
)

_WORDS: Mapping[str, DayWords] = {
    "es": DayWords(
        _ES_MONTHS,
        _ES_WEEKDAYS,
        {"hoy": 0, "mañana": 1, "pasado mañana": 2},
        _ES_NUMBERS,
        re.compile(
            rf"(?:(?:el )?(?:{_either(_ES_WEEKDAYS)}) )?(?:el )?(?:día )?"
            rf"(?P<day>\d{{1,2}}|{_either(_ES_NUMBERS)}) de (?P<month>{_either(_ES_MONTHS)})"
            r"(?: del? (?P<year>\d{4}))?"
        ),
        re.compile(
            rf"(?:el |este )?(?P<next>próximo |proximo )?(?P<name>{_either(_ES_WEEKDAYS)})"
            r"(?P<after> que viene| próximo| proximo)?"
        ),
    ),
    "fr": DayWords(
        _FR_MONTHS,
        _FR_WEEKDAYS,
        {"aujourd'hui": 0, "demain": 1, "après-demain": 2, "apres-demain": 2, "après demain": 2},
        _FR_NUMBERS,
        re.compile(
            rf"(?:(?:le )?(?:{_either(_FR_WEEKDAYS)}) )?(?:le )?"
            rf"(?P<day>\d{{1,2}}|{_either(_FR_NUMBERS)}) (?P<month>{_either(_FR_MONTHS)})"
            r"(?: (?P<year>\d{4}))?"
        ),
        re.compile(
            rf"(?:le |ce )?(?P<next>prochain )?(?P<name>{_either(_FR_WEEKDAYS)})"
            r"(?P<after> prochain| qui vient)?"
        ),
    ),
}


def spoken_day(text: str, language: str, today: date) -> tuple[int, int, int | None] | date | None:
    """A date, or (month, day, year or None) of one in a month; None for what is neither.

    "El próximo viernes" on a Monday is the one of this week to some and the one after to others:
    it gives None, so that it is asked for.
    """
    words = _WORDS.get(language.split("-")[0])
    if words is None:
        return None
    plain = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    said = " ".join(re.sub(r"[,.]", " ", plain).split())
    if said in words.near:
        return today + timedelta(days=words.near[said])
    if match := words.weekday.fullmatch(said):
        ahead = (words.weekdays[match["name"]] - today.weekday()) % 7 or 7
        is_next = match["next"] or match["after"]
        if is_next and ahead + today.weekday() < 7:
            return None
        return today + timedelta(days=ahead)
    if match := words.shape.fullmatch(said):
        day = match["day"]
        number = int(day) if day.isdigit() else words.numbers[day]
        year = int(match["year"]) if match["year"] else None
        return words.months[match["month"]], number, year
    return None
