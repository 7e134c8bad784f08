"""What a record may not show is blacked out; what a reader needs stays."""

import pytest

from trunkline_runtime.call.masking import masked, masked_text
from trunkline_runtime.table.canonical import canonical_bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("call +12025550143 now", "call ••• now"),
        ("at (202) 555-0143", "at (•••"),
        ("2026-12-01T16:00:00.000Z", "2026-12-01T16:00:00.000Z"),
        ("on 2026-12-03", "on 2026-12-03"),
        ("2026-55-0143", "•••"),
        ("2026-13-01", "•••"),
        ("2026-12-01-555", "•••"),
        ("cap_00000001", "cap_•••"),
        ("JANE DOE said 20001", "••• said 20001"),
    ],
)
def test_numbers_and_private_values_go_and_days_stay(text: str, shown: str) -> None:
    assert masked_text(text, {"Jane Doe"}) == shown


def test_names_of_members_and_numbers_that_are_no_text_go_too() -> None:
    said = {"+12025550143": {"jane doe": 7}, "to": 12025550143, "at": 2025550143.0, "due": 48.5}
    assert masked(said, {"Jane Doe"}) == {
        "•••": {"•••": 7},
        "to": "•••",
        "at": "•••",
        "due": 48.5,
    }
    assert masked([True, 999_999, -1_000_000], ()) == [True, 999_999, "•••"]


def test_what_comes_out_can_be_written() -> None:
    odd = {"half \ud83d": ["\ud83d", float("nan"), float("-inf"), 10**400]}
    shown = masked(odd, ())
    assert shown == {"half ?": ["?", "•••", "•••", "•••"]}
    assert canonical_bytes(shown)


def test_a_day_that_is_private_goes() -> None:
    born = {"born": "1980-02-29", "amount": 84.5, "said": ["1980-02-29"]}
    assert masked(born, {"1980-02-29"}) == {"born": "•••", "amount": 84.5, "said": ["•••"]}
