"""The words for times of day in each language that is read, as data (see `times`)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Part = Literal["am", "pm", "night"]


@dataclass(frozen=True)
class ClockWords:
    """How one language tells the time. `named` are minutes of the day.

    `this` begins a part of this very day ("this morning"), which is `today` too.
    `parts` find the part of the day ("in the afternoon"), `lead` and `hours` mean nothing ("at",
    "o'clock"). In the shapes, `hour` and `minute` are numbers or `fractions`: minutes `after` an
    hour, or `before` it. `half_before` is said for half an hour before one ("halb vier").
    """

    named: Mapping[str, int]
    today: str
    this: tuple[str, ...]
    parts: tuple[tuple[re.Pattern[str], Part], ...]
    lead: re.Pattern[str]
    hours: re.Pattern[str]
    fractions: Mapping[str, int]
    after: tuple[re.Pattern[str], ...]
    before: tuple[re.Pattern[str], ...]
    half_before: str | None = None


def _parts(am: str, pm: str, night: str) -> tuple[tuple[re.Pattern[str], Part], ...]:
    said: tuple[tuple[str, Part], ...] = ((am, "am"), (pm, "pm"), (night, "night"))
    return tuple((re.compile(rf"(?<![^\W\d])(?:{words})(?!\w)"), part) for words, part in said)


def _shapes(*shapes: str) -> tuple[re.Pattern[str], ...]:
    places = {"H": "(?P<hour>.+?)", "M": "(?P<minute>.+?)"}
    return tuple(
        re.compile(re.sub(r"\b[HM]\b", lambda place: places[place[0]], shape)) for shape in shapes
    )


CLOCK_WORDS: Mapping[str, ClockWords] = {
    "en": ClockWords(
        named={"noon": 720, "midday": 720, "midnight": 0},
        today="today",
        this=("this ", "tonight"),
        parts=_parts(
            r"(?:in the |this )?morning|a\.?\s?m\.?",
            r"(?:in the |this )?(?:afternoon|evening)|p\.?\s?m\.?",
            "at night|tonight",
        ),
        lead=re.compile(r"^(?:at|around|about)\s+"),
        hours=re.compile(r"\s*\bo'clock\b|\s+hours$"),
        fractions={"half": 30, "quarter": 15, "a quarter": 15},
        after=_shapes("M (?:past|after) H"),
        before=_shapes("M (?:to|before|of|til|till) H"),
    ),
    "es": ClockWords(
        named={"mediodía": 720, "mediodia": 720, "medianoche": 0, "media noche": 0},
        today="hoy",
        this=("esta ",),
        parts=_parts(
            "(?:de|por|en) la (?:mañana|madrugada)|esta mañana",
            "(?:(?:de|por|en) la|esta) tarde|del mediodía",
            "(?:de|por|en) la noche|esta noche",
        ),
        lead=re.compile(r"^(?:a las?|al|las?|a)\s+"),
        hours=re.compile(r"\s+(?:en punto|horas?)$"),
        fractions={"media": 30, "cuarto": 15},
        after=_shapes("H y M"),
        before=_shapes("H menos M", "M para las? H"),
    ),
    "fr": ClockWords(
        named={"midi": 720, "minuit": 0},
        today="aujourd'hui",
        this=("ce ", "cet "),
        parts=_parts(
            "du matin|(?:ce )?matin",
            "de l'après-midi|(?:cet )?après-midi|du soir|(?:ce )?soir",
            "de la nuit",
        ),
        lead=re.compile(r"^(?:à|a|vers)\s+"),
        hours=re.compile(r"(?:(?<=\d)|\b)\s*(?:heures?|h)\b"),
        fractions={"demie": 30, "demi": 30, "quart": 15},
        after=_shapes("H et (?:le )?M"),
        before=_shapes("H moins (?:le )?M"),
    ),
    "de": ClockWords(
        named={"mittag": 720, "mittags": 720, "mitternacht": 0},
        today="heute",
        this=(),
        parts=_parts(
            "morgens|vormittags?|am (?:morgen|vormittag)|früh",
            "nachmittags?|abends?|am (?:nachmittag|abend)",
            "nachts|in der nacht",
        ),
        lead=re.compile(r"^(?:um|gegen)\s+"),
        hours=re.compile(r"(?:(?<=\d)|\b)\s*uhr\b"),
        fractions={"viertel": 15},
        after=_shapes("M nach H"),
        before=_shapes("M vor H"),
        half_before="halb",
    ),
}
