"""What a model writes for a screen, made fit for the ear."""

from collections.abc import Mapping

import pytest

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.tools.speakable import speakable, speakable_result


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("Nine tenths.", "Nine tenths."),
        ("It is **about** a _third_.", "It is about a third."),
        ("See [the report](https://example.com/r).", "See the report."),
        ("It is so (https://example.com/a).", "It is so"),
        ("- first\n- second\n\n3. third", "first second third"),
        ("# Title\nWords `code` here", "Title Words code here"),
        ("snake_case stays, and 2 * 3 too", "snake_case stays, and 2 3 too"),
        ("minus -4 degrees", "minus -4 degrees"),
    ],
)
def test_markup_goes_and_words_stay(written: str, spoken: str) -> None:
    assert speakable(written) == spoken


def test_texts_that_a_schema_fixes_stay(catalogue: Mapping[str, ToolEntry]) -> None:
    entry = catalogue["analyze_question"]
    result = {"answer": "**Yes**", "confidence": "high", "unknown": "*kept*"}
    assert speakable_result(entry, result) == {**result, "answer": "Yes"}
