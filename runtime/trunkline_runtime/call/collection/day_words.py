"""Days as Spanish, French and German speakers say them ("el cuatro de julio", "am 7. Mai")."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True)
class Said:
    """A day in a month as it was said: without a year, and with its weekday where that was said."""

    month: int
    day: int
    year: int | None = None
    weekday: int | None = None


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
_DE_MONTHS = _numbered(
    "januar/jänner februar märz april mai juni/juno juli august september oktober november dezember"
)
_DE_WEEKDAYS = _numbered("montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag", 0)
_DE_STEMS = (
    "erst zweit dritt viert fünft sechst siebt/siebent acht neunt zehnt elft zwölft dreizehnt "
    "vierzehnt fünfzehnt sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst einundzwanzigst "
    "zweiundzwanzigst dreiundzwanzigst vierundzwanzigst fünfundzwanzigst sechsundzwanzigst "
    "siebenundzwanzigst achtundzwanzigst neunundzwanzigst dreißigst/dreissigst "
    "einunddreißigst/einunddreissigst"
)
_DE_NUMBERS = {
    stem + end: number for stem, number in _numbered(_DE_STEMS).items() for end in ("er", "en", "e")
}

_WORDS: Mapping[str, DayWords] = {
    "es": DayWords(
        _ES_MONTHS,
        _ES_WEEKDAYS,
        {"ayer": -1, "hoy": 0, "mañana": 1, "pasado mañana": 2},
        _ES_NUMBERS,
        re.compile(
            rf"(?:(?:el )?(?P<weekday>{_either(_ES_WEEKDAYS)}) )?(?:el )?(?:día )?"
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
        {
            "hier": -1,
            "aujourd'hui": 0,
            "demain": 1,
            "après-demain": 2,
            "apres-demain": 2,
            "après demain": 2,
        },
        _FR_NUMBERS,
        re.compile(
            rf"(?:(?:le )?(?P<weekday>{_either(_FR_WEEKDAYS)}) )?(?:le )?"
            rf"(?P<day>\d{{1,2}}|{_either(_FR_NUMBERS)}) (?P<month>{_either(_FR_MONTHS)})"
            r"(?: (?P<year>\d{4}))?"
        ),
        re.compile(
            rf"(?:le |ce )?(?P<next>prochain )?(?P<name>{_either(_FR_WEEKDAYS)})"
            r"(?P<after> prochain| qui vient)?"
        ),
    ),
    "de": DayWords(
        _DE_MONTHS,
        _DE_WEEKDAYS,
        {"heute": 0, "morgen": 1, "übermorgen": 2, "gestern": -1},
        _DE_NUMBERS,
        re.compile(
            rf"(?:(?:am )?(?P<weekday>{_either(_DE_WEEKDAYS)}) )?(?:am |der |den |dem )?"
            rf"(?P<day>\d{{1,2}}|{_either(_DE_NUMBERS)}) (?P<month>{_either(_DE_MONTHS)})"
            r"(?: (?P<year>\d{4}))?"
        ),
        re.compile(
            r"(?:am |diesen |kommenden )?(?P<next>nächsten |nächster )?"
            rf"(?P<name>{_either(_DE_WEEKDAYS)})(?P<after>(?!))?"
        ),
    ),
}


def spoken_day(text: str, language: str, today: date) -> Said | date | None:
    """A date, or a day in a month; None for what is neither.

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
        day, weekday = match["day"], match["weekday"]
        return Said(
            words.months[match["month"]],
            int(day) if day.isdigit() else words.numbers[day],
            int(match["year"]) if match["year"] else None,
            None if weekday is None else words.weekdays[weekday],
        )
    return None
