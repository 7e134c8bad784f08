"""One of several choices: by its words, by a part that only one of them has, or by its place."""

import re
import unicodedata
from collections.abc import Sequence

from trunkline_runtime.call.collection.choice_words import CHOICE_WORDS, ChoiceWords
from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.call.collection.number_lists import number_words
from trunkline_runtime.table.canonical import Json


def one_of(raw: Json, choices: Sequence[str], language: str) -> str:
    """The choice that was meant, as it is written in the list. Raises NotUnderstood."""
    if not choices:
        raise NotUnderstood("the choices are not known yet")
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise NotUnderstood(_among(choices))
    said = _bare(str(raw))
    for choice in choices:
        if _bare(choice) == said:
            return choice
    words = CHOICE_WORDS.get(language.split("-")[0])
    for heard in dict.fromkeys((said, _without(said, words))):
        fitting = _fitting(heard, choices)
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            break
        place = _place(heard, words, language)
        if place is not None and place < len(choices):
            return choices[place]
    raise NotUnderstood(_among(choices))


def _fitting(said: str, choices: Sequence[str]) -> list[str]:
    """The choices of which that is a part, and whole words of it: "nine thirty" but not "i"."""
    same = [choice for choice in choices if said and _bare(choice) == said]
    return same or [
        choice for choice in choices if said and re.search(rf"\b{re.escape(said)}\b", _bare(choice))
    ]


def _place(said: str, words: ChoiceWords | None, language: str) -> int | None:
    """The place that was named: "the second one", "option two"; -1 for the last."""
    if words is None:
        return None
    ordinal = re.fullmatch(rf"(?:(?:{words.before}) )?(\w+)(?: (?:{words.after}))?", said)
    swapped = re.fullmatch(rf"(?:(?:{words.before}) )?(?:{words.after}) (\w+)", said)
    for match in (ordinal, swapped):
        if match and (place := words.places.get(_marked(match[1], words))) is not None:
            return place
    number = re.fullmatch(rf"(?:(?:{words.number}) )+(\w+)", said)
    if number is None:
        return None
    known = number_words(language)
    value = int(number[1]) if re.fullmatch("[0-9]{1,3}", number[1]) else None
    if value is None and known is not None:
        value = known.whole(number[1])
    return None if not value else value - 1


def _marked(word: str, words: ChoiceWords) -> str:
    """An ordinal as the list has it: accents are gone from what was said."""
    return next((each for each in words.places if _bare(each) == word), word)


def _without(said: str, words: ChoiceWords | None) -> str:
    """What is left without the politeness at both ends."""
    if words is None:
        return said
    polite = "|".join(re.escape(_bare(phrase)) for phrase in words.round.split("|"))
    return re.sub(rf"^(?:(?:{polite}) )+|(?: (?:{polite}))+$", "", said)


def _bare(text: str) -> str:
    apart = unicodedata.normalize("NFD", text.casefold().replace("_", " "))
    plain = "".join(each for each in apart if unicodedata.category(each) != "Mn")
    return " ".join(re.sub(r"[^\w\s:+-]", " ", plain).split())


def _among(choices: Sequence[str]) -> str:
    return "it must be one of: " + ", ".join(choices[:12])
