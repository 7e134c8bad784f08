"""A strict yes or no: the whole answer, in the language of the call."""

import pytest

from trunkline_runtime.call.collection.yes_no import yes_or_no


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
        # what is not plainly one is unclear
        ("Yes, but only on Friday", "en-US", "unclear"),
        ("yes no", "en-US", "unclear"),
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
