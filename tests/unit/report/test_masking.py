"""What is hidden in everything that is printed, what is not, and that hiding takes no time."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline import masking
from trunkline.masking import hidden, veiled


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("+12025550143", "+120••••••••"),
        ("call (202) 555-0143 now", "call (202) •••-•••• now"),
        ("0205550143.", "020•••••••."),
        ("20 25 55 01 43", "20 2• •• •• ••"),
        ("sk-live-abcdefghij0123456789", "sk-l" + "•" * 24),
        ("Authorization: Bearer abcdef0123456789", "Authorization: Bearer abcd" + "•" * 12),
        ("https://user:pass1@crm.example/x", "https://user" + "•" * 6 + "@crm.example/x"),
        ("password: hunter2", "password: hunt" + "•" * 3),
        ("api_key: '\"swordfish\"'", "api_key: '\"swor" + "•" * 5 + "\"'"),
        ("token: abcd1234efgh", "token: abcd" + "•" * 8),
    ],
)
def test_numbers_and_secrets_are_veiled(text: str, shown: str) -> None:
    assert veiled(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        *("2026-01-02", "2026-01-02T10:00:00Z", "21:00", "09:00-17:00", "press 9", "300000"),
        *(
            "sha256:" + "ab12" * 16,
            "slots.capture_token",
            "password: theirs",
            "flows/northwind-energy/a.yaml",
            "555",
        ),
    ],
)
def test_what_is_no_number_to_dial_and_no_secret_stays(text: str) -> None:
    assert veiled(text) == text


@given(st.text(alphabet="0123456789 +-().aA:=/@token\n", max_size=60))
def test_a_veiled_text_is_as_long_as_before(text: str) -> None:
    assert len(veiled(text)) == len(text)
    assert veiled(text).count("\n") == text.count("\n")


@pytest.mark.parametrize("kind", masking._SECRETS, ids=lambda kind: kind.pattern[:16])
@given(data=st.data())
def test_no_secret_of_any_kind_is_passed_over(kind: re.Pattern[str], data: st.DataObject) -> None:
    text = data.draw(st.from_regex(kind))
    assert hidden(text, str, lambda found: "" if found else "S") != text


def test_other_ways_of_hiding() -> None:
    text = "dial +1 202 555 0143 with sk-live-abcdefghij0123456789"
    assert hidden(text, lambda _: "N", lambda _: "S") == "dial N with S"


@pytest.mark.parametrize(
    "piece",
    ["1 ", "1", "1a", "token", "token:", "aA1", "a@", "://a:", "bearer ", "-----BEGIN ", "+1("],
)
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + "z"
    before = time.process_time()
    veiled(text)
    assert time.process_time() - before < 1
