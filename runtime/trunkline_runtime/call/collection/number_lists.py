"""The number words of each language that is read: English, Spanish, French and German."""

from collections.abc import Mapping

from trunkline_runtime.call.collection.number_words import NumberWords


def _counted(words: str, start: int = 0) -> dict[str, int]:
    """A word may have several spellings (`uno/un`), and a space is written `_`."""
    return {
        spelling.replace("_", " "): number
        for number, word in enumerate(words.split(), start=start)
        for spelling in word.split("/")
    }


def _tens(words: str) -> dict[str, int]:
    return {word: 10 * number for word, number in _counted(words, 2).items()}


_EN_UNITS = _counted("zero/nought one two three four five six seven eight nine")
_EN_TENS = _tens("twenty thirty forty/fourty fifty sixty seventy eighty ninety")
_EN_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_ES_UNITS = _counted("cero uno/un/una dos tres cuatro cinco seis siete ocho nueve")
_ES_BELOW_THIRTY = (
    "diez once doce trece catorce quince dieciséis/dieciseis diecisiete dieciocho diecinueve "
    "veinte veintiuno/veintiún/veintiun/veintiuna veintidós/veintidos veintitrés/veintitres "
    "veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve"
)
_ES_TENS = _tens("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
_FR_UNITS = _counted("zéro/zero un/une deux trois quatre cinq six sept huit neuf")
_FR_TEENS = _counted("dix onze douze treize quatorze quinze seize dix_sept dix_huit dix_neuf", 10)
_FR_TENS = _tens("vingt trente quarante cinquante soixante septante huitante/octante nonante")
_DE_UNITS = _counted("null eins/ein/eine/einen zwei/zwo drei vier fünf sechs sieben acht neun")
_DE_TEENS = "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_DE_TENS = _tens("zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig")


def _with_units(
    tens: Mapping[str, int], units: Mapping[str, int], shapes: tuple[str, ...]
) -> dict[str, int]:
    """Twenty-one to ninety-nine, each in every shape."""
    return {
        shape.format(ten=ten, unit=unit): value + one
        for ten, value in tens.items()
        for unit, one in units.items()
        if one > 0
        for shape in shapes
    }


def _french() -> dict[str, int]:
    """ "Soixante et onze" is 71, "quatre-vingt-dix" 90."""
    small = {**_FR_UNITS, **_FR_TEENS, **_FR_TENS}
    small |= _with_units(_FR_TENS, _FR_UNITS, ("{ten} {unit}", "{ten} et {unit}"))
    small |= _with_units({"soixante": 60}, _FR_TEENS, ("{ten} {unit}", "{ten} et {unit}"))
    eighty = {"quatre vingt": 80, "quatre vingts": 80}
    return small | eighty | _with_units(eighty, {**_FR_UNITS, **_FR_TEENS}, ("{ten} {unit}",))


NUMBER_WORDS: Mapping[str, NumberWords] = {
    "en": NumberWords(
        small={
            **_EN_UNITS,
            **_counted(_EN_TEENS, 10),
            **_EN_TENS,
            **_with_units(_EN_TENS, _EN_UNITS, ("{ten} {unit}",)),
        },
        hundred=frozenset({"hundred"}),
        scales={"thousand": 1000, "million": 1_000_000},
        point=frozenset({"point"}),
        half=(" and a half",),
        minus="minus",
        one=frozenset({"a", "an"}),
        joiner=frozenset({"and"}),
    ),
    "es": NumberWords(
        small={
            **_ES_UNITS,
            **_counted(_ES_BELOW_THIRTY, 10),
            **_ES_TENS,
            **_with_units(_ES_TENS, _ES_UNITS, ("{ten} y {unit}",)),
        },
        hundred=frozenset(),
        hundreds={
            "cien": 100,
            **{
                word: 100 * number
                for number, words in enumerate(
                    (
                        ("ciento",),
                        ("doscientos", "doscientas"),
                        ("trescientos", "trescientas"),
                        ("cuatrocientos", "cuatrocientas"),
                        ("quinientos", "quinientas"),
                        ("seiscientos", "seiscientas"),
                        ("setecientos", "setecientas"),
                        ("ochocientos", "ochocientas"),
                        ("novecientos", "novecientas"),
                    ),
                    start=1,
                )
                for word in words
            },
        },
        scales={"mil": 1000, "millón": 1_000_000, "millon": 1_000_000, "millones": 1_000_000},
        point=frozenset({"coma", "punto"}),
        half=(" y medio", " y media"),
        minus="menos",
    ),
    "fr": NumberWords(
        small=_french(),
        hundred=frozenset({"cent", "cents"}),
        scales={"mille": 1000, "million": 1_000_000, "millions": 1_000_000},
        point=frozenset({"virgule", "point"}),
        half=(" et demi", " et demie"),
        minus="moins",
    ),
    "de": NumberWords(
        small={
            **_DE_UNITS,
            **_counted(_DE_TEENS, 10),
            **_DE_TENS,
            **_with_units(_DE_TENS, _DE_UNITS, ("{unit}und{ten}",)),
        },
        hundred=frozenset({"hundert"}),
        scales={"tausend": 1000, "million": 1_000_000, "millionen": 1_000_000},
        point=frozenset({"komma", "punkt"}),
        half=("einhalb", " und ein halb"),
        minus="minus",
        joiner=frozenset({"und"}),
        glued=True,
    ),
}


def number_words(language: str) -> NumberWords | None:
    """The number words of a language (BCP 47); None where they are not known."""
    return NUMBER_WORDS.get(language.split("-")[0])
