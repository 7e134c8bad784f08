"""A strict yes or no from what was said: the whole answer must be one, in the call's language."""

import re
from typing import Literal

Reply = Literal["yes", "no", "unclear"]


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split("|"))


# Whole answers, after case, punctuation and politeness are gone. Short on purpose: what is not
# plainly a yes or a no is unclear, and the question is put again.
_YES: dict[str, frozenset[str]] = {
    "en": _phrases(
        "yes|yeah|yep|yup|yes it is|yes you may|yes you can|yes that is right|yes that is correct|"
        "that is right|that is correct|correct|right|sure|of course|certainly|absolutely|"
        "go ahead|yes go ahead|please do|yes please do|i do|yes i do|i agree|yes i agree|ok|okay|"
        "yes i would|sounds good|affirmative"
    ),
    "es": _phrases("sí|si|claro|claro que sí|claro que si|correcto|de acuerdo|exacto"),
    "fr": _phrases("oui|ouais|bien sûr|d'accord|tout à fait|c'est ça|exact|c'est exact"),
    "de": _phrases("ja|jawohl|genau|richtig|stimmt|ja genau|ja gerne|gerne|sicher"),
    "it": _phrases("sì|si|certo|esatto|va bene|d'accordo|giusto"),
    "pt": _phrases("sim|claro|certo|correto|isso|pode ser|está bem"),
    "nl": _phrases("ja|jawel|klopt|zeker|juist|goed|natuurlijk"),
}
_NO: dict[str, frozenset[str]] = {
    "en": _phrases(
        "no|nope|nah|no it is not|no you may not|that is wrong|that is not right|"
        "that is not correct|no that is wrong|no that is not right|no that is not correct|wrong|"
        "incorrect|not correct|i do not|no i do not|do not|please do not|no please do not|"
        "i do not agree|no i would not|not really|negative|never"
    ),
    "es": _phrases("no|para nada|incorrecto|no gracias|de ninguna manera"),
    "fr": _phrases("non|pas du tout|ce n'est pas ça|faux|non merci"),
    "de": _phrases("nein|nö|nee|falsch|stimmt nicht|das stimmt nicht|auf keinen fall"),
    "it": _phrases("no|per niente|sbagliato|non è giusto"),
    "pt": _phrases("não|nao|de jeito nenhum|errado|incorreto"),
    "nl": _phrases("nee|neen|klopt niet|fout|zeker niet"),
}
_POLITE: dict[str, frozenset[str]] = {
    "en": _phrases("please|thanks|thank you|um|uh|er|well|oh|sir|madam|ma'am|it"),
    "es": frozenset(["por favor", "gracias", "eh", "pues"]),
    "fr": frozenset(["s'il vous plaît", "merci", "euh", "madame", "monsieur"]),
    "de": frozenset(["bitte", "danke", "äh", "also", "ähm"]),
    "it": frozenset(["per favore", "grazie", "eh"]),
    "pt": frozenset(["por favor", "obrigado", "obrigada", "eh"]),
    "nl": frozenset(["alstublieft", "graag", "dank u", "eh"]),
}
_SHORT = (
    (r"\bthat's\b", "that is"),
    (r"\bit's\b", "it is"),
    (r"\bisn't\b", "is not"),
    (r"\bdon't\b", "do not"),
    (r"\bwouldn't\b", "would not"),
    (r"\bi'd\b", "i would"),
)


def yes_or_no(said: str, language: str) -> Reply:
    """What a whole answer says. A language without a list here knows no words: only keys count."""
    base = language.split("-")[0]
    yes, no = _YES.get(base, frozenset()), _NO.get(base, frozenset())
    answer = _bare(said, base)
    polite = _POLITE.get(base, frozenset())
    # "yes, yes please": each part must say the same
    heard: set[Reply] = set()
    for part in (part.strip() for part in re.split(r"[,.;!?]+", answer)):
        words = _without(part, polite)
        if not words:
            continue
        heard.add(_part(words, yes, no))
    whole = _without(" ".join(re.split(r"[\s,.;!?]+", answer)), polite)
    if heard == {"yes"} or whole in yes:
        return "yes"
    if heard == {"no"} or whole in no:
        return "no"
    return "unclear"


def _part(words: str, yes: frozenset[str], no: frozenset[str]) -> Reply:
    if words in yes or (words.split() and set(words.split()) <= yes):
        return "yes"
    if words in no or (words.split() and set(words.split()) <= no):
        return "no"
    return "unclear"


def _bare(said: str, base: str) -> str:
    text = said.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").strip()
    if base == "en":
        for short, full in _SHORT:
            text = re.sub(short, full, text)
    return re.sub(r"[\"()]", " ", text)


def _without(words: str, polite: frozenset[str]) -> str:
    for phrase in sorted(polite, key=len, reverse=True):
        words = re.sub(rf"(?<!\S){re.escape(phrase)}(?!\S)", " ", words)
    return " ".join(words.split())
