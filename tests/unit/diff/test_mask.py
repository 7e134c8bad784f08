"""Numbers show their last four digits, secrets nothing; what is neither stays as it is."""

import pytest

from trunkline.diff.mask import masked, masked_json, masked_number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Call +12025550143 now", "Call …0143 now"),
        ("Call +1 202 555 0143.", "Call …0143."),
        ("Call (202) 555-0143", "Call …0143"),
        ("Call 202.555.0143", "Call …0143"),
        ("Call 2025550143", "Call …0143"),
        ("Call 555-0143", "Call …0143"),
        ("+44 7911 123456", "…3456"),
        ("Press 9, wait 30 seconds", "Press 9, wait 30 seconds"),
        ("expires 2026-12-31", "expires 2026-12-31"),
        ("at 2026-12-31T10:00:00Z", "at 2026-12-31T10:00:00Z"),
        ("mon-fri 09:00-17:00", "mon-fri 09:00-17:00"),
        ("costs 1234567.50 dollars", "costs 1234567.50 dollars"),
        ("token sk-live-abcdefghijklmnop1234", "token [secret]"),
        ("key ghp_abcdefghijklmnopqrst1234", "key [secret]"),
        ("AKIAIOSFODNN7EXAMPLE", "[secret]"),
        ("Authorization: Bearer abcdefgh12345678", "Authorization: Bearer [secret]"),
        ("https://user:hunter22@example.com/", "https://[secret]@example.com/"),
        ("password: hunter2hunter2", "password: [secret]"),
        ("capture_token: slots.capture_token_2", "capture_token: slots.capture_token_2"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "[secret]"),
        ("AbCdEf0123456789AbCdEf0123456789xyz", "[secret]"),
        ("sha256:" + "0a" * 32, "sha256:" + "0a" * 32),
        ("call_back_opening_of_the_second_week", "call_back_opening_of_the_second_week"),
    ],
)
def test_text(text: str, shown: str) -> None:
    assert masked(text) == shown


def test_json_is_masked_in_every_text_and_key() -> None:
    value = {"+12025550143": ["+12025550144", {"say": "Call +12025550145"}], "n": 2000000}
    assert masked_json(value) == {"…0143": ["…0144", {"say": "Call …0145"}], "n": 2000000}


def test_a_known_number_is_masked_however_it_is_written() -> None:
    assert masked_number("+12025550143") == "…0143"
    assert masked_number("112") == "…112"
