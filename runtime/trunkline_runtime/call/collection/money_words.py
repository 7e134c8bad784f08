"""The words around an amount in each language: what a unit and a hundredth of it are called."""

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class MoneyWords:
    """How one language says an amount. `about` is taken off its front and means nothing.

    `both` finds a `major` part, perhaps a `minor` one, and the `unit` of that if it was said;
    `minor_alone` an amount that is below one.
    """

    about: re.Pattern[str]
    both: re.Pattern[str]
    minor_alone: re.Pattern[str]


def _words(*, about: str, major: str, minor: str, joiner: str) -> MoneyWords:
    return MoneyWords(
        re.compile(rf"^(?:(?:{about})\s+)+"),
        re.compile(
            rf"(?P<major>.+?)\s*\b(?:{major})\b"
            rf"(?:\s+(?:(?:{joiner})\s+)?(?P<minor>.+?)(?:\s+(?P<unit>{minor}))?)?"
        ),
        re.compile(rf"(?P<minor>.+?)\s*\b(?:{minor})"),
    )


MONEY_WORDS: Mapping[str, MoneyWords] = {
    "en": _words(
        about="exactly|about|around|roughly|just",
        major="dollars?|euros?|pounds?|bucks?|usd|eur|gbp|cad",
        minor="cents?|pence|pennies|p",
        joiner="and",
    ),
    "es": _words(
        about="exactamente|unos|unas|alrededor de|más o menos|como",
        major="(?:de )?(?:dólares|dolares|dólar|dolar|euros?|pesos?|usd|eur)|con",
        minor="(?:centavos?|céntimos?|centimos?)",
        joiner="con|y",
    ),
    "fr": _words(
        about="exactement|environ|à peu près",
        major="(?:d'|de )?(?:dollars?|euros?|usd|eur)",
        minor="(?:cents?|centimes?|sous)",
        joiner="et",
    ),
    "de": _words(
        about="genau|etwa|ungefähr|rund|circa",
        major="euros?|dollar|franken|usd|eur|chf",
        minor="cents?|rappen",
        joiner="und",
    ),
}
