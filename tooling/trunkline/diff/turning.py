"""Words that hold the model back or name a number: losing or gaining one turns a sentence round."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

_WORD = re.compile(r"\d+(?:[.,:]\d+)*|\w+(?:['\u2019]\w+)*")
_PROHIBITIONS = frozenset(
    (
        *("no", "not", "never", "none", "nothing", "nobody", "neither", "nor", "without"),
        *("cannot", "can't", "don't", "doesn't", "didn't", "won't", "isn't", "aren't", "wouldn't"),
        *("shouldn't", "mustn't", "avoid", "stop", "refuse", "forbid", "forbidden"),
    )
)
_CONDITIONS = frozenset(
    (
        *("except", "unless", "until", "before", "after", "first", "only", "once", "exactly"),
        *("must", "always", "most", "least", "both", "all", "any", "every", "instead"),
        *("ignore", "skip", "regardless", "allowed", "permitted", "required", "optional"),
    )
)
# "one" and "second" are more often something else than a number.
_NUMBERS = frozenset(
    (
        *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
        *("twelve", "fifteen", "twenty", "thirty", "sixty", "hundred", "thousand", "half"),
        *("twice", "double", "zero"),
    )
)


@dataclass(frozen=True)
class Turned:
    """The words that can turn a sentence round and that went, or came; `unknown` is true for a
    language in which such words are not known."""

    gone: tuple[str, ...]
    come: tuple[str, ...]
    unknown: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.gone, *self.come)

    @property
    def any(self) -> bool:
        """True if the meaning may have been turned round."""
        return bool(self.gone or self.come or self.unknown)


def turning_words(before: str, after: str, language: str) -> Turned:
    """What went and what came of such words, from one text to another."""
    old, new = Counter(_turning(before)), Counter(_turning(after))
    return Turned(
        tuple(dict.fromkeys((old - new).elements())),
        tuple(dict.fromkeys((new - old).elements())),
        not is_known(language),
    )


def sentence_kind(text: str, language: str) -> Literal["prohibition", "condition", "sentence"]:
    """What a sentence does to the model, as far as its words tell."""
    words = set(_turning(text)) if is_known(language) else set()
    if words & _PROHIBITIONS:
        return "prohibition"
    return "condition" if words & _CONDITIONS else "sentence"


def is_known(language: str) -> bool:
    """True for a language whose words of this kind are known here."""
    return language.casefold().startswith("en")


def _turning(text: str) -> list[str]:
    words = (word.casefold().replace("\u2019", "'") for word in _WORD.findall(text))
    known = _PROHIBITIONS | _CONDITIONS | _NUMBERS
    return [word for word in words if word in known or word[0].isdigit()]
