"""Plain text: names, reasons, postcodes and codes, kept as they were said or spelled."""

import re
import unicodedata

from trunkline_runtime.call.collection.digits import spoken_digits
from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.call.collection.spelling import letters_named, readings, spaced
from trunkline_runtime.table.canonical import Json

# Longer than anything that is said in answer to one question.
LONGEST = 500
# Control characters, half a character, and what nobody can see or say. Joiners stay: scripts
# need them.
_UNSPEAKABLE = frozenset({"Cc", "Cs", "Co", "Cn"})
_UNSEEN = frozenset("\u200b\u2060\ufeff\u00ad")


def plain_text(raw: Json, pattern: str | None, language: str) -> str:
    """The text with its spaces in order, in NFC; it must match all of `pattern`.

    Letters and digits that were spelled ("two oh double one", "B as in bravo") are taken where
    only they fit; without a pattern, letters that were explained stand as `D-O-E`. Raises
    NotUnderstood.
    """
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise NotUnderstood("it must be text")
    if isinstance(raw, float) and not abs(raw) < 1e15:
        raise NotUnderstood("it must be text")
    text = _tidy(str(int(raw)) if isinstance(raw, float) and raw.is_integer() else str(raw))
    if not text:
        raise NotUnderstood("it is empty")
    if len(text) > LONGEST:
        raise NotUnderstood(f"it is longer than {LONGEST} characters")
    if pattern is None:
        if not any(character.isalnum() for character in text):
            raise NotUnderstood("there is no word in it")
        return letters_named(text, language) or text
    found = _fitting(text, pattern, language)
    if found is None:
        raise NotUnderstood("it does not have the form that is needed; ask for it once more")
    return found


def _tidy(text: str) -> str:
    kept = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace()
        or not (character in _UNSEEN or unicodedata.category(character) in _UNSPEAKABLE)
    )
    return " ".join(unicodedata.normalize("NFC", kept).split())


def _fitting(text: str, pattern: str, language: str) -> str | None:
    """The text, or the one way to read it as something spelled, that the pattern takes."""
    fits = re.compile(pattern).fullmatch
    for plain in (
        text,
        spoken_digits(text, language),
        text.upper(),
        text.lower(),
        text.replace(" ", ""),
        re.sub(r"[\s,.-]+", "", text).upper(),
    ):
        if plain is not None and fits(plain):
            return plain
    spelled = list(dict.fromkeys(readings(text, language)))
    for reading in spelled:
        for written in (reading, reading.lower()):
            if fits(written):
                return written
    # a space or a hyphen that the pattern wants: only if there is one place for it
    digits = spoken_digits(text, language)
    for reading in [*([digits] if digits else []), *spelled]:
        marked = [written for written in spaced(reading) if fits(written)]
        if len(marked) == 1:
            return marked[0]
    return None
