"""A strict yes or no: the whole answer, in the language of the call."""

import pytest

from trunkline_runtime.call.collection.yes_no import LANGUAGES, yes_or_no
from trunkline_runtime.table.spoken_languages import READ


@pytest.mark.parametrize(
    ("said", "language", "reply"),
    [
        ("Yes.", "en-US", "yes"),
        ("yes, yes please", "en-US", "yes"),
        ("Yes, that's right.", "en-US", "yes"),
        ("Um, okay, go ahead", "en-GB", "yes"),
        ("No.", "en-US", "no"),
        ("no, thank you", "en-US", "no"),
        ("No, that's wrong", "en-US", "no"),
        ("I don't", "en-US", "no"),
        ("Sí, claro", "es-US", "yes"),
        ("No, gracias", "es-MX", "no"),
        ("Oui", "fr-CA", "yes"),
        ("Ja, genau", "de-DE", "yes"),
        ("Nein danke", "de-DE", "no"),
        # polite heads and tails change nothing
        ("No, sorry.", "en-US", "no"),
        ("No sorry", "en-US", "no"),
        ("Sorry, no.", "en-US", "no"),
        ("I'm sorry, no, thank you very much.", "en-GB", "no"),
        ("I'm afraid not.", "en-US", "no"),
        ("Yes, please do.", "en-US", "yes"),
        ("Please do, thanks.", "en-US", "yes"),
        ("Yes please, go ahead.", "en-US", "yes"),
        ("Oh, of course, sir.", "en-US", "yes"),
        ("Yes, that's fine, thank you.", "en-US", "yes"),
        ("Absolutely not.", "en-US", "no"),
        ("No, lo siento.", "es-US", "no"),
        ("Sí, por favor, adelante", "es-US", "yes"),
        ("Non, désolée, merci.", "fr-CA", "no"),
        ("Oui, s\N{RIGHT SINGLE QUOTATION MARK}il vous plaît, allez-y", "fr-CA", "yes"),
        ("Nein, tut mir leid.", "de-DE", "no"),
        ("Ja, bitte.", "de-DE", "yes"),
        ("No, mi dispiace.", "it-IT", "no"),
        ("Não, desculpe.", "pt-BR", "no"),
        ("Nee, sorry.", "nl-NL", "no"),
        # what is not plainly one is unclear
        ("Yes, but only on Friday", "en-US", "unclear"),
        ("yes but not now", "en-US", "unclear"),
        ("Yes, but not now.", "en-US", "unclear"),
        ("yes no", "en-US", "unclear"),
        ("no wait, yes", "en-US", "unclear"),
        ("No, please do.", "en-US", "unclear"),
        ("Yes, please don't.", "en-US", "unclear"),
        ("Sorry?", "en-US", "unclear"),
        ("Sorry, what?", "en-US", "unclear"),
        ("do", "en-US", "unclear"),
        ("not sure", "en-US", "unclear"),
        ("Sí, pero no ahora", "es-US", "unclear"),
        ("Oui mais pas maintenant", "fr-CA", "unclear"),
        ("no, wait, yes", "en-US", "unclear"),
        ("I guess so", "en-US", "unclear"),
        ("yesterday", "en-US", "unclear"),
        ("Is that right?", "en-US", "unclear"),
        ("not correct, yes", "en-US", "unclear"),
        ("", "en-US", "unclear"),
        ("please", "en-US", "unclear"),
        ("yes", "ja-JP", "unclear"),
    ],
)
def test_whole_answers(said: str, language: str, reply: str) -> None:
    assert yes_or_no(said, language) == reply


def test_what_the_compiler_says_of_the_languages() -> None:
    assert READ["answer"] == READ["boolean"] == LANGUAGES
