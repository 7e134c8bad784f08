"""A strict yes or no from what was said: the whole answer must be one, in the call's language."""

import re
from typing import Literal

Reply = Literal["yes", "no", "unclear"]


def _phrases(text: str) -> frozenset[str]:
    return frozenset(phrase.strip() for phrase in text.split("|"))


# Whole answers, in lower case; politeness around them is taken off where that leaves one. Short on
# purpose: what is not plainly a yes or a no is unclear, and the question is put again.
_YES: dict[str, frozenset[str]] = {
    "en": _phrases(
        "yes|yeah|yep|yup|yes it is|yes you may|yes you can|yes that is right|yes that is correct|"
        "that is right|that is correct|correct|right|sure|of course|certainly|absolutely|"
        "definitely|go ahead|go right ahead|please do|do so|i do|yes i do|i agree|yes i agree|ok|"
        "okay|yes i would|sounds good|affirmative|you may|you can|that is fine|that would be fine|"
        "yes that is fine|that would be great|yes that would be great|i would like that|"
        "yes i would like that|i would love to|by all means|yes it was|yes i am|i am"
    ),
    "es": _phrases(
        "sí|si|claro|claro que sí|claro que si|correcto|de acuerdo|exacto|adelante|así es|asi es|"
        "está bien|esta bien|por supuesto|sí adelante|si adelante|eso es|vale"
    ),
    "fr": _phrases(
        "oui|ouais|bien sûr|d'accord|tout à fait|c'est ça|exact|c'est exact|allez-y|certainement|"
        "absolument|c'est bien ça|volontiers|avec plaisir"
    ),
    "de": _phrases(
        "ja|jawohl|genau|richtig|stimmt|ja genau|ja gerne|gerne|sicher|das stimmt|das ist richtig|"
        "natürlich|selbstverständlich|in ordnung|einverstanden|machen sie das"
    ),
    "it": _phrases(
        "sì|si|certo|esatto|va bene|d'accordo|giusto|certamente|volentieri|prego faccia pure"
    ),
    "pt": _phrases("sim|claro|certo|correto|isso|pode ser|está bem|com certeza|isso mesmo|pode"),
    "nl": _phrases("ja|jawel|klopt|zeker|juist|goed|natuurlijk|dat klopt|akkoord|prima|ja graag"),
}
_NO: dict[str, frozenset[str]] = {
    "en": _phrases(
        "no|nope|nah|no it is not|no you may not|that is wrong|that is not right|"
        "that is not correct|no that is wrong|no that is not right|no that is not correct|wrong|"
        "incorrect|not correct|i do not|no i do not|do not|please do not|no please do not|"
        "i do not agree|no i would not|negative|never|not at all|i would rather not|"
        "no i would rather not|i am afraid not|no i am afraid not|absolutely not|definitely not|"
        "certainly not|of course not|i would not|you may not|it is not|i am not|no i am not|"
        "no way"
    ),
    "es": _phrases(
        "no|para nada|incorrecto|de ninguna manera|claro que no|no es así|no es asi|nunca|"
        "por supuesto que no"
    ),
    "fr": _phrases("non|pas du tout|ce n'est pas ça|faux|jamais|bien sûr que non|surtout pas"),
    "de": _phrases(
        "nein|nö|nee|falsch|stimmt nicht|das stimmt nicht|auf keinen fall|niemals|"
        "das ist falsch|lieber nicht|nein lieber nicht|leider nicht|leider nein"
    ),
    "it": _phrases("no|per niente|sbagliato|non è giusto|mai|assolutamente no|certo che no"),
    "pt": _phrases("não|nao|de jeito nenhum|errado|incorreto|claro que não|nunca"),
    "nl": _phrases("nee|neen|klopt niet|fout|zeker niet|nooit|dat klopt niet|liever niet"),
}
# What people put before and after an answer without changing it.
_POLITE: dict[str, frozenset[str]] = {
    "en": _phrases(
        "please|thanks|thank you|thank you very much|thanks a lot|thank you so much|um|uh|er|"
        "well|oh|ah|hmm|sir|madam|ma'am|it|sorry|i am sorry|i'm sorry|my apologies|kindly|"
        "very much|indeed|thanks very much|no worries|no problem"
    ),
    "es": _phrases(
        "por favor|gracias|muchas gracias|eh|pues|bueno|señor|señora|señorita|lo siento|"
        "perdón|perdone|disculpe|ay|este"
    ),
    "fr": _phrases(
        "s'il vous plaît|s'il vous plait|merci|merci beaucoup|merci bien|euh|ben|bah|madame|"
        "monsieur|désolé|désolée|je suis désolé|je suis désolée|pardon|je vous en prie|ah|oh"
    ),
    "de": _phrases(
        "bitte|bitte sehr|danke|vielen dank|danke schön|äh|also|ähm|tut mir leid|"
        "es tut mir leid|entschuldigung|leider|ach|oh"
    ),
    "it": _phrases(
        "per favore|per piacere|grazie|grazie mille|eh|beh|mi dispiace|scusi|signora|signore|ah"
    ),
    "pt": _phrases(
        "por favor|obrigado|obrigada|muito obrigado|muito obrigada|eh|desculpe|lamento|senhor|"
        "senhora|bem|ah"
    ),
    "nl": _phrases("alstublieft|graag|dank u|dank u wel|bedankt|eh|sorry|het spijt me|mevrouw|oh"),
}
_SHORT = (
    (r"\bthat's\b", "that is"),
    (r"\bit's\b", "it is"),
    (r"\bisn't\b", "is not"),
    (r"\bdon't\b", "do not"),
    (r"\bwouldn't\b", "would not"),
    (r"\bi'd\b", "i would"),
    (r"\bi'm\b", "i am"),
)


def yes_or_no(said: str, language: str) -> Reply:
    """What a whole answer says. A language without a list here knows no words: only keys count."""
    base = language.split("-")[0]
    answer = _bare(said, base)
    parts = [part.strip() for part in re.split(r"[,.;!?]+", answer)]
    whole = " ".join(re.split(r"[\s,.;!?]+", answer)).strip()
    # "yes, yes please": each part must say the same, but for what is only polite
    heard = {reply for part in parts if (reply := _part(part, base)) is not None}
    if len(heard) == 1 and "unclear" not in heard:
        return heard.pop()
    return _part(whole, base) or "unclear"


def _part(words: str, base: str) -> Reply | None:
    """What a part of an answer says; None for one that says nothing, such as "thank you"."""
    bare = _without(words, _POLITE.get(base, frozenset()))
    if not bare:
        return None
    # as it stands first: "please do" is an answer, and "do" is none
    for answer in (words, bare):
        if _is(answer, _YES.get(base, frozenset())):
            return "yes"
        if _is(answer, _NO.get(base, frozenset())):
            return "no"
    return "unclear"


def _is(words: str, phrases: frozenset[str]) -> bool:
    return words in phrases or set(words.split()) <= phrases


# The languages in which an answer is understood; elsewhere only keys answer a question.
LANGUAGES = frozenset(_YES)


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
