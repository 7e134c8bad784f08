"""How people point at one of several choices, as data for each language that is read."""

from collections.abc import Mapping
from dataclasses import dataclass


def _places(words: str) -> dict[str, int]:
    """From the first on; -1 is the last. A place may have several words."""
    places = {
        word: number
        for number, many in enumerate(words.partition("|")[0].split())
        for word in many.split("/")
    }
    return places | dict.fromkeys(words.partition("|")[2].split("/"), -1)


@dataclass(frozen=True)
class ChoiceWords:
    """`places` are ordinals, `before` and `after` what may stand around one and means nothing;
    `number` is said before a plain number ("option two"); `round` is politeness around a choice."""

    places: Mapping[str, int]
    before: str
    after: str
    number: str
    round: str


CHOICE_WORDS: Mapping[str, ChoiceWords] = {
    "en": ChoiceWords(
        _places("first/1st second/2nd third/3rd fourth/4th fifth/5th sixth/6th|last"),
        "the",
        "one|option|choice",
        "number|option|choice",
        "please|thanks|thank you|i'd like|i would like|i'll take|i will take|i want|let's do|the|"
        "one",
    ),
    "es": ChoiceWords(
        _places(
            "primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta "
            "quinto/quinta sexto/sexta|último/última/ultimo/ultima"
        ),
        "el|la",
        "opción|opcion",
        "número|numero|opción|opcion|el|la",
        "por favor|gracias|quiero|quisiera|prefiero|el|la",
    ),
    "fr": ChoiceWords(
        _places(
            "premier/première deuxième/second/seconde troisième quatrième cinquième sixième|"
            "dernier/dernière"
        ),
        "le|la",
        "option|choix",
        "numéro|numero|option|choix|le|la",
        "s'il vous plaît|s'il vous plait|merci|je voudrais|je prends|je préfère|le|la",
    ),
    "de": ChoiceWords(
        _places(
            "erste/ersten/erster/erstes zweite/zweiten/zweiter/zweites "
            "dritte/dritten/dritter/drittes vierte/vierten/vierter/viertes "
            "fünfte/fünften/fünfter/fünftes sechste/sechsten/sechster/sechstes|"
            "letzte/letzten/letzter/letztes"
        ),
        "der|die|das|den",
        "option|möglichkeit",
        "nummer|option|die",
        "bitte|danke|ich möchte|ich nehme|ich hätte gern|der|die|das|den",
    ),
}
