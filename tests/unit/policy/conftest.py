"""The shipped policy, and questions to the engine with the usual parts filled in."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from trunkline.policy.reading import read_policy
from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.question import ListAnswer, Party, Question
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.rules import Rules

TOP = Path(__file__).parents[3]

Ask = Callable[..., Question]


def clear(rule: DoNotCallList, number: str) -> ListAnswer:
    """Every list is there and holds nobody."""
    return "clear"


@pytest.fixture(scope="session")
def shipped() -> Rules:
    """The platform's rules as this repository ships them."""
    return read_policy(TOP).platform


@pytest.fixture
def ask() -> Ask:
    """A dial of northwind-energy for collections to New York, at noon there, unless said else."""

    def question(number: str = "+12125550143", at: str = "2026-12-01T17:00:00Z", **parts: Any):
        known: dict[str, Any] = {
            "tenant": "northwind-energy",
            "purpose": "collections",
            "now": at if isinstance(at, datetime) else instant(at),
            "dial": not parts.get("effects"),
            "lists": clear,
        }
        party = {
            name: parts.pop(name) for name in ("address", "history", "opted_out") if name in parts
        }
        known["parties"] = (Party(number, **party),)
        return Question(**{**known, **parts})

    return question
