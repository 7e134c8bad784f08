"""One spelling for what means the same, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline.table.spelling import spelled, spelled_words
from trunkline_runtime.expression.lexer import tokens


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("slots.a>5.00", "slots.a > 5.0"),
        ("slots . a   >  5.0", "slots.a > 5.0"),
        ("!( facts.a&&facts.b )", "!(facts.a && facts.b)"),
        ("slots.n ==- 1", "slots.n == -1"),
        ("slots.n-1>0", "slots.n - 1 > 0"),
        ("slots.a.size( )>2", "slots.a.size() > 2"),
        ('slots.a in["x","y  z"]', 'slots.a in ["x", "y  z"]'),
        ("result.days [ 0 ]", "result.days[0]"),
        ("facts.a // so far\n ? 1.50:2.0", "facts.a ? 1.5 : 2.0"),
        ("slots.a == '5.00  >  '", "slots.a == '5.00  >  '"),
        (r"slots.a == r'\d  '", r"slots.a == r'\d  '"),
        ('"""a  b""" == slots.a', '"""a  b""" == slots.a'),
        ("1e3 < slots.a", "1e3 < slots.a"),
        ("12345678901234567890.00 > slots.a", "12345678901234567890.00 > slots.a"),
        ("0.00000010 > slots.a", "0.00000010 > slots.a"),
        ("5 . size()", "5 . size()"),
        ("no # expression", "no # expression"),
    ],
)
def test_one_spelling(written: str, printed: str) -> None:
    assert spelled(written) == printed
    assert spelled(printed) == printed


PARTS = (
    "slots",
    ".",
    "a",
    "-",
    "!",
    "(",
    ")",
    "[",
    "]",
    "5.0",
    "2",
    '"x  y"',
    "&&",
    ",",
    "in",
    "?",
)


@given(st.lists(st.sampled_from((*PARTS, " ", "  ", "\n")), max_size=14))
def test_the_tokens_stay_and_spaces_make_no_difference(parts: list[str]) -> None:
    text = "".join(parts)
    wider = " ".join(token.text for token in tokens(text))
    same = [token.text for token in tokens(wider)] == [token.text for token in tokens(text)]
    assert [token.text for token in tokens(spelled(text))] == [token.text for token in tokens(text)]
    assert spelled(spelled(text)) == spelled(text)
    if same and spelled(text) != text.strip():
        assert spelled(wider) == spelled(text)


def test_fields_in_words() -> None:
    assert spelled_words("Hi {{slots.a}},  {{  inputs.b }} {{ odd }} {x}") == (
        "Hi {{ slots.a }},  {{ inputs.b }} {{ odd }} {x}"
    )
