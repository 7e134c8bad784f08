"""What callers say, and the value that a slot takes: one example for each way of saying it."""

import contextlib
import random
import time
from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

import pytest

from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.call.collection.normalise import normalised
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import Slot
from trunkline_runtime.table.spoken_languages import is_read

# A Sunday.
ENGLISH = Hearing("en-US", "US", ZoneInfo("America/New_York"), date(2026, 11, 29))
SPANISH = Hearing("es-US", "US", ZoneInfo("America/New_York"), date(2026, 11, 29))
FRENCH = Hearing("fr-CA", "CA", ZoneInfo("America/Toronto"), date(2026, 11, 29))
ITALIAN = Hearing("it-IT", "IT", ZoneInfo("Europe/Rome"), date(2026, 11, 29))
GERMAN = Hearing("de-DE", "DE", ZoneInfo("Europe/Berlin"), date(2026, 11, 29))


@pytest.mark.parametrize(
    ("kind", "heard", "value"),
    [
        ("string", "  Jane   Doe ", "Jane Doe"),
        ("string", "J-A-N-E", "J-A-N-E"),
        ("string", 20001, "20001"),
        ("integer", 12, 12),
        ("integer", "1,200", 1200),
        ("integer", "twenty one", 21),
        ("integer", "two hundred and five", 205),
        ("integer", 3.0, 3),
        ("number", "$49.90", 49.9),
        ("number", "1,234.50 dollars", 1234.5),
        ("number", "forty nine point nine", 49.9),
        ("number", "forty nine ninety", 49.9),
        ("number", "twelve fifty", 12.5),
        ("number", "a hundred and five dollars", 105),
        ("number", "twelve dollars and five cents", 12.05),
        ("number", "ninety nine cents", 0.99),
        ("number", "two and a half", 2.5),
        ("number", "minus five", -5),
        ("number", "49,90", 49.9),
        ("number", "1,234", 1234),
        ("number", "1 234 567", 1234567),
        ("integer", "two oh double one", 2011),
        ("boolean", True, True),
        ("boolean", "Yes, please.", True),
        ("boolean", "nope", False),
        ("boolean", "false", False),
        ("date", "2026-12-03", "2026-12-03"),
        ("date", "2026-12-03T10:00:00", "2026-12-03"),
        ("date", "tomorrow", "2026-11-30"),
        ("date", "the fourth of July", "2027-07-04"),
        ("date", "July 4th, 2026", "2026-07-04"),
        ("date", "December 1", "2026-12-01"),
        ("date", "12/3", "2026-12-03"),
        ("date", "Wednesday", "2026-12-02"),
        ("date", "next Wednesday", "2026-12-02"),
        ("date", "on the twenty ninth of February", "2028-02-29"),
        ("date", "a week from Tuesday", "2026-12-08"),
        ("date", "Tuesday week", "2026-12-08"),
        ("date", "in two weeks", "2026-12-13"),
        ("date", "three days from now", "2026-12-02"),
        ("date", "Thursday next week", "2026-12-03"),
        ("date", "Monday, December 7th", "2026-12-07"),
        ("date", "Monday the seventh", "2026-12-07"),
        ("date", "the first of next month", "2026-12-01"),
        ("date", "July fourth nineteen eighty five", "1985-07-04"),
        ("date", "the fourth of July two thousand and one", "2001-07-04"),
        ("date", "1985-7-4", "1985-07-04"),
        ("time", "15:30", "15:30"),
        ("time", "3 pm", "15:00"),
        ("time", "3:30 p.m.", "15:30"),
        ("time", "half past three pm", "15:30"),
        ("time", "a quarter to 9 am", "08:45"),
        ("time", "noon", "12:00"),
        ("time", "nine thirty am", "09:30"),
        ("time", "nine oh five am", "09:05"),
        ("time", "three in the afternoon", "15:00"),
        ("time", "half past two in the afternoon", "14:30"),
        ("time", "eight at night", "20:00"),
        ("time", "two at night", "02:00"),
        ("time", "seventeen thirty", "17:30"),
        ("time", "17 hundred hours", "17:00"),
        ("datetime", "2026-12-03T10:00", "2026-12-03T10:00:00-05:00"),
        ("datetime", "2026-12-03T10:00:00+01:00", "2026-12-03T10:00:00+01:00"),
        ("datetime", "tomorrow at 3 pm", "2026-11-30T15:00:00-05:00"),
        ("datetime", "December 3 9:30 am", "2026-12-03T09:30:00-05:00"),
        ("datetime", "3 pm tomorrow", "2026-11-30T15:00:00-05:00"),
        ("datetime", "tomorrow afternoon at three", "2026-11-30T15:00:00-05:00"),
        ("datetime", "tonight at eight", "2026-11-29T20:00:00-05:00"),
        ("datetime", "noon on Friday", "2026-12-04T12:00:00-05:00"),
        ("phone", "(202) 555-0143", "+12025550143"),
        ("phone", "two oh two, double five five, oh one four three", "+12025550143"),
        ("phone", "+44 20 7946 0018", "+442079460018"),
        ("phone", "two oh two five fifty five oh one forty three", "+12025550143"),
        ("phone", "one eight hundred five five five oh one four three", "+18005550143"),
        ("email", "Jane.Doe@Example.com", "jane.doe@example.com"),
        ("email", "jane dot doe at example dot com", "jane.doe@example.com"),
        ("email", "Jane @ example dot com", "jane@example.com"),
        ("email", "jane at sign example dot com", "jane@example.com"),
        ("email", "jane doe forty two at one dot com", "janedoe42@one.com"),
        ("email", "B as in bravo ob at example dot co dot uk", "bob@example.co.uk"),
        ("email", "j o dot double l at example dot com", "jo.ll@example.com"),
        ("string", "Jose\u0301 O'Brien-van der Berg", "José O'Brien-van der Berg"),
        ("string", "李小龍", "李小龍"),
        ("string", "Jane\x00 \u200bDoe", "Jane Doe"),
        ("string", "D as in David, O, E for echo", "D-O-E"),
        ("string", "20001", "20001"),
        ("string", 20001.0, "20001"),
    ],
)
def test_understood(kind: str, heard: Json, value: Json) -> None:
    assert normalised(Slot(kind), heard, ENGLISH) == value


@pytest.mark.parametrize(
    ("kind", "heard"),
    [
        ("string", ""),
        ("string", True),
        ("string", {"a": 1}),
        ("string", "x" * 501),
        ("integer", "some"),
        ("integer", 1.5),
        ("integer", True),
        ("number", "a lot"),
        ("number", float("nan")),
        ("number", 10**400),
        ("number", "9" * 400),
        ("number", "12 dollars 5"),  # 12.05 or 12.50?
        ("number", "two fifty"),  # 2.50 or 250?
        ("number", "12.5.6"),
        ("number", "12,3456,7"),
        ("number", "five hundred hundred"),
        ("number", "\u0665"),
        ("string", "..."),
        ("string", "\ud800"),
        ("string", float("nan")),
        ("boolean", "not really"),
        ("boolean", "yes but no"),
        ("date", "the 29th of February 2027"),
        ("date", "Tuesday, December 7th"),  # a Monday
        ("date", "next week"),
        ("date", "7/4/26"),
        ("datetime", "Friday at two at night"),  # which of the two nights?
        ("datetime", "Friday at three"),
        ("time", "three o'clock"),
        ("email", "a" * 65 + "@example.com"),
        ("date", "the first " * 100_000),
        ("datetime", "at " * 100_000),
        ("datetime", "two " * 120),
        ("boolean", "maybe"),
        ("boolean", 1),
        ("date", "the 31st of February"),
        ("date", "2026-02-30"),
        ("date", "soon"),
        ("date", 20261203),
        ("time", "three"),  # at night, or in the afternoon?
        ("time", "3:30"),
        ("time", "25:00"),
        ("datetime", "tomorrow"),
        ("phone", "555 0143"),
        ("phone", "+1 202 555 01432"),
        ("phone", "my number"),
        ("phone", "202 555 0143 extension 12"),
        ("phone", "+1 202 555 0143 ext. 12"),
        ("phone", "(202) 555-0143 x12"),
        ("phone", "202 555 0143 # 12"),
        ("phone", "two oh two five five five oh one four three extension twelve"),
        ("phone", "two oh two five five five oh one four three extension 12"),
        ("email", "jane at example"),
        ("email", "jane@@example.com"),
    ],
)
def test_not_understood(kind: str, heard: Json) -> None:
    with pytest.raises(NotUnderstood) as refused:
        normalised(Slot(kind), heard, ENGLISH)
    assert str(refused.value), "the model is told what is wrong"


def test_a_pattern_must_match_the_whole_text() -> None:
    postcode = Slot("string", pattern=r"\d{5}")
    assert normalised(postcode, "two double oh zero one", ENGLISH) == "20001"
    with pytest.raises(NotUnderstood):
        normalised(postcode, "20001-1234", ENGLISH)


def test_spelled_letters_are_joined_where_only_that_fits() -> None:
    postcode = Slot("string", pattern=r"[A-Z]{2}\d \d[A-Z]{2}|[A-Z]{2}\d\d[A-Z]{2}")
    assert normalised(postcode, "n w 7, 2 b q", ENGLISH) == "NW72BQ"


CODES = {
    "US": r"\d{5}(?:-\d{4})?",
    "CA": r"[A-Z]\d[A-Z] ?\d[A-Z]\d",
    "UK": r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}",
    "spaced": r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}",
}


@pytest.mark.parametrize(
    ("code", "heard", "value"),
    [
        ("US", "nine oh two one oh", "90210"),
        ("US", "oh two one three four dash one two three four", "02134-1234"),
        ("US", "02134 1234", "02134-1234"),
        ("CA", "k1a 0b1", "K1A 0B1"),
        ("CA", "K as in kilo, one, A as in alpha, zero, B as in bravo, one", "K1A0B1"),
        ("CA", "kilo one alpha oh bravo one", "K1A0B1"),
        ("UK", "S for sugar, W for whisky, 1 A, 1 double A", "SW1A1AA"),
        ("UK", "e c one oh two double a", "EC102AA"),
        ("UK", "oh x one one a a", "OX11AA"),
        ("UK", "SW1A 1AA", "SW1A 1AA"),
        ("spaced", "s w one a one a a", "SW1A 1AA"),
    ],
)
def test_postcodes_that_are_spelled(code: str, heard: str, value: str) -> None:
    assert normalised(Slot("string", pattern=CODES[code]), heard, ENGLISH) == value


@pytest.mark.parametrize("heard", [2134, "sugar", "k one a", "kilo one alpha maybe bravo one"])
@pytest.mark.parametrize("code", ["US", "CA"])
def test_what_is_no_postcode(code: str, heard: Json) -> None:
    with pytest.raises(NotUnderstood):
        normalised(Slot("string", pattern=CODES[code]), heard, ENGLISH)


def test_the_decimal_comma_is_that_of_the_language() -> None:
    assert normalised(Slot("number"), "1.234,50", GERMAN) == 1234.5
    assert normalised(Slot("number"), "1,234.50", ENGLISH) == 1234.5


@pytest.mark.parametrize(
    ("heard", "value"),
    [
        ("Thursday, December 3 at 9:30 AM", "Thursday, December 3 at 9:30 AM"),
        ("9:30 am", "Thursday, December 3 at 9:30 AM"),
        ("the second one", "Thursday, December 3 at 2:00 PM"),
        ("last", "Friday, December 4 at 8:00 AM"),
        ("friday", "Friday, December 4 at 8:00 AM"),
    ],
)
def test_one_of_the_choices(heard: str, value: str) -> None:
    choices = [
        "Thursday, December 3 at 9:30 AM",
        "Thursday, December 3 at 2:00 PM",
        "Friday, December 4 at 8:00 AM",
    ]
    assert normalised(Slot("choice"), heard, ENGLISH, choices) == value


@pytest.mark.parametrize(
    ("hearing", "heard", "value"),
    [
        (ENGLISH, "number two, please", "anual"),
        (ENGLISH, "the 2nd option", "anual"),
        (ENGLISH, "I'd like the first one", "mensual"),
        (ENGLISH, "option 3", "café"),
        (ENGLISH, "Cafe", "café"),
        (SPANISH, "el segundo", "anual"),
        (SPANISH, "la última", "café"),
        (FRENCH, "numéro deux", "anual"),
        (FRENCH, "le troisième", "café"),
        (GERMAN, "bitte die letzte", "café"),
    ],
)
def test_choices_by_place_and_with_manners(hearing: Hearing, heard: str, value: str) -> None:
    assert normalised(Slot("choice"), heard, hearing, ["mensual", "anual", "café"]) == value


@pytest.mark.parametrize(
    "heard", ["both", "neither", "not mensual", "number four", "2", "option x"]
)
def test_what_points_at_no_choice(heard: str) -> None:
    with pytest.raises(NotUnderstood):
        normalised(Slot("choice"), heard, ENGLISH, ["mensual", "anual", "café"])


@pytest.mark.parametrize("heard", ["thursday", "saturday", "the sixth", "", 1])
def test_none_or_several_of_the_choices(heard: Json) -> None:
    choices = ["Thursday, December 3 at 9:30 AM", "Thursday, December 3 at 2:00 PM"]
    with pytest.raises(NotUnderstood):
        normalised(Slot("choice"), heard, ENGLISH, choices)


def test_choices_that_are_not_known_yet() -> None:
    with pytest.raises(NotUnderstood, match="not known yet"):
        normalised(Slot("choice"), "nine", ENGLISH, [])


CODE = Slot("string", pattern=r"\d{5}")


@pytest.mark.parametrize(
    ("hearing", "slot", "heard", "value"),
    [
        (SPANISH, Slot("date"), "el cuatro de julio", "2027-07-04"),
        (SPANISH, Slot("date"), "4 de julio de 2028", "2028-07-04"),
        (SPANISH, Slot("date"), "Treinta y uno de diciembre", "2026-12-31"),
        (SPANISH, Slot("date"), "lunes, 7 de diciembre", "2026-12-07"),
        (SPANISH, Slot("date"), "pasado mañana", "2026-12-01"),
        (SPANISH, Slot("date"), "el miércoles", "2026-12-02"),
        (SPANISH, Slot("date"), "el próximo miércoles", "2026-12-02"),
        (SPANISH, Slot("boolean"), "Sí, claro", True),
        (
            SPANISH,
            Slot("phone"),
            "dos cero dos, doble cinco cinco, cero uno cuatro tres",
            "+12025550143",
        ),
        (SPANISH, CODE, "dos cero cero cero uno", "20001"),
        (FRENCH, Slot("date"), "le quatre juillet", "2027-07-04"),
        (FRENCH, Slot("date"), "1er janvier 2028", "2028-01-01"),
        (FRENCH, Slot("date"), "le vingt-et-un décembre", "2026-12-21"),
        (FRENCH, Slot("date"), "lundi 7 décembre", "2026-12-07"),
        (FRENCH, Slot("date"), "aujourd\N{RIGHT SINGLE QUOTATION MARK}hui", "2026-11-29"),
        (FRENCH, Slot("date"), "mercredi prochain", "2026-12-02"),
        (FRENCH, Slot("boolean"), "Non, merci", False),
        (FRENCH, CODE, "deux zéro zéro zéro un", "20001"),
        (GERMAN, CODE, "2 0 0 0 1", "20001"),
        (GERMAN, Slot("date"), "4.7.2027", "2027-07-04"),
        (GERMAN, Slot("date"), "am vierten Juli", "2027-07-04"),
        (GERMAN, Slot("date"), "Montag, 7. Dezember 2026", "2026-12-07"),
        (GERMAN, Slot("date"), "übermorgen", "2026-12-01"),
        (SPANISH, Slot("time"), "las tres y media de la tarde", "15:30"),
        (SPANISH, Slot("time"), "las tres menos cuarto de la tarde", "14:45"),
        (SPANISH, Slot("time"), "quince treinta", "15:30"),
        (
            SPANISH,
            Slot("datetime"),
            "mañana por la mañana a las nueve",
            "2026-11-30T09:00:00-05:00",
        ),
        (SPANISH, Slot("datetime"), "esta noche a las ocho", "2026-11-29T20:00:00-05:00"),
        (FRENCH, Slot("time"), "quinze heures trente", "15:30"),
        (FRENCH, Slot("time"), "trois heures et demie de l'après-midi", "15:30"),
        (FRENCH, Slot("time"), "neuf heures moins le quart du matin", "08:45"),
        (FRENCH, Slot("datetime"), "demain matin à neuf heures", "2026-11-30T09:00:00-05:00"),
        (GERMAN, Slot("time"), "halb vier nachmittags", "15:30"),
        (GERMAN, Slot("time"), "fünfzehn Uhr dreißig", "15:30"),
        (GERMAN, Slot("time"), "zehn vor neun morgens", "08:50"),
        (GERMAN, Slot("datetime"), "morgen früh um neun", "2026-11-30T09:00:00+01:00"),
        (SPANISH, Slot("number"), "mil doscientos treinta y cuatro", 1234),
        (SPANISH, Slot("number"), "doce dólares con cincuenta centavos", 12.5),
        (SPANISH, Slot("number"), "1,234.50", 1234.5),
        (replace(SPANISH, language="es-ES"), Slot("number"), "1.234,50", 1234.5),
        (FRENCH, Slot("number"), "quatre-vingt-dix-sept", 97),
        (FRENCH, Slot("number"), "deux cents", 200),
        (FRENCH, Slot("number"), "douze euros et cinq centimes", 12.05),
        (FRENCH, Slot("integer"), "soixante et onze", 71),
        (GERMAN, Slot("integer"), "zweihundertfünfunddreißig", 235),
        (GERMAN, Slot("number"), "einundzwanzigtausend", 21000),
        (GERMAN, Slot("number"), "zwölf Euro fünfzig", 12.5),
        (GERMAN, Slot("number"), "zweieinhalb", 2.5),
        (GERMAN, Slot("number"), "1.234", 1234),
        (GERMAN, Slot("number"), "49.90", 49.9),
        (
            replace(FRENCH, region="FR"),
            Slot("phone"),
            "zéro six douze trente-quatre cinquante-six soixante-dix-huit",
            "+33612345678",
        ),
        (GERMAN, CODE, "null zwölf vierunddreißig", "01234"),
        (GERMAN, Slot("string"), "D wie Dora, O, E wie Emil", "D-O-E"),
        (FRENCH, Slot("string"), "D comme Denis, O, E", "D-O-E"),
        (SPANISH, Slot("string"), "D de Dinamarca, O, E de España", "D-O-E"),
        (SPANISH, Slot("string"), "María de la O", "María de la O"),
        (SPANISH, Slot("email"), "j de la cruz arroba example punto com", "jdelacruz@example.com"),
        (
            FRENCH,
            Slot("email"),
            "jane tiret du bas doe arobase example point fr",
            "jane_doe@example.fr",
        ),
        (GERMAN, Slot("email"), "jane punkt doe ät example punkt de", "jane.doe@example.de"),
    ],
)
def test_understood_in_other_languages(
    hearing: Hearing, slot: Slot, heard: str, value: Json
) -> None:
    assert normalised(slot, heard, hearing) == value
    said = slot.type if slot is not CODE else "digits"
    assert is_read(said, hearing.language), "the compiler says so"


@pytest.mark.parametrize(
    ("hearing", "heard"),
    [
        (SPANISH, "the fourth of July"),
        (SPANISH, "treinta de febrero"),
        (GERMAN, "der einunddreißigste April"),
        # one of the two is wrong: the seventh is a Monday
        (SPANISH, "martes, 7 de diciembre"),
        (FRENCH, "mardi 7 décembre"),
        (GERMAN, "Dienstag, 7. Dezember"),
        (ITALIAN, "il quattro luglio"),
        (FRENCH, "le trente-deux mai"),
        # said on a Monday, this week's to some and next week's to others
        (replace(SPANISH, today=date(2026, 11, 30)), "el viernes que viene"),
        (replace(FRENCH, today=date(2026, 11, 30)), "vendredi prochain"),
    ],
)
def test_no_day_in_that_language(hearing: Hearing, heard: str) -> None:
    with pytest.raises(NotUnderstood):
        normalised(Slot("date"), heard, hearing)


def test_elsewhere_what_the_model_writes_counts() -> None:
    assert not is_read("time", "it-IT")
    with pytest.raises(NotUnderstood):
        normalised(Slot("time"), "le tre del pomeriggio", ITALIAN)
    assert normalised(Slot("time"), "15:00", ITALIAN) == "15:00"


KINDS = "string integer number boolean date time datetime phone email choice"
PARTS = (
    "the of a and at two oh double hundred point dollars cents half past am monday next first 31 "
    "2027 5 - . , ' @ dot as in bravo \u00e9 \u00df \u674e el y menos heures et uhr halb und "
    "quatre-vingt minus $ % ( ) # *"
)


def test_no_text_takes_long_or_raises_anything_else() -> None:
    """Whatever a model hands over: a value, or a reason why there is none, and soon."""
    parts = PARTS.split()
    chance = random.Random(7)
    texts = [" ".join(chance.choices(parts, k=chance.randint(1, 9))) for _ in range(400)]
    texts += [(part + " ") * (500 // (len(part) + 1)) for part in parts]
    began = time.monotonic()
    for number, text in enumerate(texts):
        hearing = (ENGLISH, SPANISH, FRENCH, GERMAN)[number % 4]
        for kind in KINDS.split():
            pattern = CODES["CA"] if kind == "string" else None
            with contextlib.suppress(NotUnderstood):
                normalised(Slot(kind, pattern=pattern), text, hearing, ["monday", "a bravo"])
    assert time.monotonic() - began < 20, "the whole, on a machine that others use too"
