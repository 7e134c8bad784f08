"""What callers say, and the value that a slot takes: one example for each way of saying it."""

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
        ("time", "15:30", "15:30"),
        ("time", "3 pm", "15:00"),
        ("time", "3:30 p.m.", "15:30"),
        ("time", "half past three pm", "15:30"),
        ("time", "a quarter to 9 am", "08:45"),
        ("time", "noon", "12:00"),
        ("time", "nine thirty am", "09:30"),
        ("datetime", "2026-12-03T10:00", "2026-12-03T10:00:00-05:00"),
        ("datetime", "2026-12-03T10:00:00+01:00", "2026-12-03T10:00:00+01:00"),
        ("datetime", "tomorrow at 3 pm", "2026-11-30T15:00:00-05:00"),
        ("datetime", "December 3 9:30 am", "2026-12-03T09:30:00-05:00"),
        ("phone", "(202) 555-0143", "+12025550143"),
        ("phone", "two oh two, double five five, oh one four three", "+12025550143"),
        ("phone", "+44 20 7946 0018", "+442079460018"),
        ("email", "Jane.Doe@Example.com", "jane.doe@example.com"),
        ("email", "jane dot doe at example dot com", "jane.doe@example.com"),
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


@pytest.mark.parametrize("heard", ["thursday", "saturday", "the sixth", "", 1])
def test_none_or_several_of_the_choices(heard: Json) -> None:
    choices = ["Thursday, December 3 at 9:30 AM", "Thursday, December 3 at 2:00 PM"]
    with pytest.raises(NotUnderstood):
        normalised(Slot("choice"), heard, ENGLISH, choices)


def test_choices_that_are_not_known_yet() -> None:
    with pytest.raises(NotUnderstood, match="not known yet"):
        normalised(Slot("choice"), "nine", ENGLISH, [])


SPANISH = Hearing("es-US", "US", ZoneInfo("America/New_York"), date(2026, 11, 29))
FRENCH = Hearing("fr-CA", "CA", ZoneInfo("America/Toronto"), date(2026, 11, 29))
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
    ],
)
def test_understood_in_other_languages(
    hearing: Hearing, slot: Slot, heard: str, value: Json
) -> None:
    assert normalised(slot, heard, hearing) == value
    said = slot.type if slot is not CODE else "digits"
    assert hearing is GERMAN or is_read(said, hearing.language), "the compiler says so"


@pytest.mark.parametrize(
    ("hearing", "heard"),
    [
        (SPANISH, "the fourth of July"),
        (SPANISH, "treinta de febrero"),
        (GERMAN, "der vierte Juli"),
        (FRENCH, "le trente-deux mai"),
        # said on a Monday, this week's to some and next week's to others
        (replace(SPANISH, today=date(2026, 11, 30)), "el viernes que viene"),
        (replace(FRENCH, today=date(2026, 11, 30)), "vendredi prochain"),
    ],
)
def test_no_day_in_that_language(hearing: Hearing, heard: str) -> None:
    with pytest.raises(NotUnderstood):
        normalised(Slot("date"), heard, hearing)


def test_times_are_read_in_english_alone() -> None:
    assert not is_read("time", "es-US")
    with pytest.raises(NotUnderstood):
        normalised(Slot("time"), "3 pm", SPANISH)
    assert normalised(Slot("time"), "15:00", SPANISH) == "15:00", "what the model writes counts"
