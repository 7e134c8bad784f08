"""Before and after are shown in full only where that says more than the entry."""

from typing import Any

import pytest

from trunkline.diff.change import Change
from trunkline.diff.level import Level
from trunkline.diff.render.detail import detail


def change(kind: str, message: str, before: Any, after: Any) -> Change:
    return Change(Level.RISKY, kind, "acme", "call", "pay", message, "0" * 32, before, after)


@pytest.mark.parametrize(
    ("kind", "message", "before", "after", "shown"),
    [
        ("tool-granted", "may now call `send_sms` here", None, {"id": "send_sms"}, False),
        ("tool-granted", "may now call `send_sms` here", None,
         {"id": "send_sms", "with": {"text": "slots.words"}}, True),
        ("rule-loosened", "`max: 5` instead of `max: 3`", {"max": 3}, {"max": 5}, False),
        ("rule-loosened", "`max: 50` instead of `max: 30`", {"max": 3}, {"max": 5}, True),
        ("clears-added", "calls now forget `postcode`", ["name"], ["name", "postcode"], False),
        ("parameters-changed", "is called with other arguments", {"a": {"type": "string"}},
         {"a": {"type": "number"}}, True),
        ("flow-removed", "no call can use `call` any more", {"nodes": 5}, None, False),
        ("say-changed", "callers hear other words", "Hello.", "Hi.", False),
    ],
)  # fmt: skip
def test_what_the_message_holds_is_not_said_again(
    kind: str, message: str, before: Any, after: Any, shown: bool
) -> None:
    assert (detail(change(kind, message, before, after)) is not None) == shown


def test_a_long_one_is_cut() -> None:
    found = detail(change("run-changed", "works in another way", None, list(range(500))))
    assert found is not None
    assert "more lines" in found
    assert found.count("\n") < 70
