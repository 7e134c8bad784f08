"""A gate over the shipped policy and catalogue, with a state folder of its own.

Every test that asks for `world` runs twice: on SQLite and on a PostgreSQL that is started for it.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from sqlalchemy import create_engine

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE, DecisionLog
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.request import DialRequest, FactRecord, OptOut, ToolRequest
from trunkline_runtime.policy.question import ListAnswer
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.table.settings import TenantSettings

TOP = Path(__file__).parents[3]
NOON = datetime(2026, 12, 1, 17, tzinfo=UTC)
PARTY = "+12125550143"
KEY = b"a key for tests, long enough"

ARGUMENTS: dict[str, dict[str, Any]] = {
    "take_payment": {"account_id": "A-1001", "amount": 48.5, "capture_token": "cap_abcdefgh12"},
    "lookup_crm": {"account_id": "A-1001", "full_name": "Jane Doe", "postcode": "20001"},
    "send_payment_link": {"account_id": "A-1001", "amount": 48.5},
    "send_sms": {"to": PARTY, "text": "Your appointment is on Monday."},
    "get_invoice": {"account_id": "A-1001"},
}


@dataclass(frozen=True)
class Snapshot:
    """The policy of the moment."""

    documents: Mapping[str, Any]
    digest: str = "sha256:policy-1"
    sequence: int = 1


def read_yaml(path: Path) -> Any:
    return yaml.load(path.read_bytes(), yaml.CSafeLoader)


@cache
def _shipped() -> dict[str, Any]:
    return {
        str(path.relative_to(TOP / "policy")): read_yaml(path)
        for path in sorted((TOP / "policy").rglob("*.yaml"))
        if path.parent.name != "tests"
    }


def shipped_documents() -> dict[str, Any]:
    """The documents of this repository, free to be changed."""
    return deepcopy(_shipped())


def clear(rule: DoNotCallList, number: str) -> ListAnswer:
    return "clear"


@dataclass
class World:
    """A gate and everything around it that a test may change."""

    state: Path
    documents: dict[str, Any] = field(default_factory=shipped_documents)
    policy_digest: str = "sha256:policy-1"
    tenant_policy: dict[str, Any] = field(default_factory=dict)
    lists: Callable[[DoNotCallList, str], ListAnswer] = clear
    seconds: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        # Files, so that the processes which a test starts find them too.
        caps, url = self.state / "caps.json", self.state / "ledger.url"
        if caps.exists():
            self.documents["spend.yaml"] = json.loads(caps.read_text(encoding="utf-8"))
        self.url = url.read_text(encoding="utf-8") if url.exists() else None
        self.ledger = Ledger(self.url) if self.url else Ledger.at(self.state / "ledger.sqlite3")
        self.log = DecisionLog(self.state / "decisions")
        self.gate = PolicyGate(
            lambda: Snapshot(self.documents, self.policy_digest),
            self.settings,
            self.ledger,
            self.log,
            NumberKey(KEY),
            lambda rule, number: self.lists(rule, number),
            lambda: self.seconds(),
        )

    def settings(self, tenant: str) -> TenantSettings:
        document = read_yaml(TOP / "flows" / tenant / "tenant.yaml")
        return TenantSettings.from_document({**document, "policy": self.tenant_policy})

    def change_policy(self, **documents: Any) -> None:
        """Puts documents in place (None takes one away), under a new digest."""
        for name, document in documents.items():
            path = f"{name}.yaml"
            if document is None:
                self.documents.pop(path, None)
            else:
                self.documents[path] = document
        self.policy_digest += "+"

    @property
    def records(self) -> list[Mapping[str, Any]]:
        return list(records(self.state / "decisions"))

    @property
    def record_text(self) -> str:
        return "".join(
            path.read_text(encoding="utf-8")
            for path in sorted((self.state / "decisions").glob("*.jsonl"))
        )

    def verifies(self) -> bool:
        head = self.state / "decisions" / HEAD_FILE
        return verify(self.state / "decisions", head.read_text()).fault is None

    def counted(self) -> dict[str, tuple[int, int]]:
        """Cap → what it has spent and reserved, in micro-units."""
        rows = self.sql("SELECT key, spent, reserved FROM buckets")
        return {key.partition("|")[0]: (spent, reserved) for key, spent, reserved in rows}

    def sql(self, statement: str) -> Sequence[Any]:
        """Goes past the ledger, straight to its database; the rows that it gives, if it does."""
        path = self.state / "ledger.sqlite3"
        engine = create_engine(self.url or f"sqlite:///{path}")
        with engine.begin() as connection:
            result = connection.exec_driver_sql(statement)
            rows = result.all() if result.returns_rows else []
        engine.dispose()
        return rows

    def entry(self, tool: str, **changes: Any) -> ToolEntry:
        """A tool of the shipped catalogue, with some keys changed."""
        (path,) = (TOP / "catalog" / "tools").rglob(f"{tool}.yaml")
        return ToolEntry.from_document(path.parent.name, {**read_yaml(path), **changes})

    def request(
        self, tool: str | ToolEntry, args: Mapping[str, Any] | None = None, **parts: Any
    ) -> ToolRequest:
        """A call of a granted tool in a verified call of northwind-energy, unless said else."""
        called = self.entry(tool) if isinstance(tool, str) else tool
        given = ARGUMENTS.get(called.id, {}) if args is None else args
        known: dict[str, Any] = {
            "call_id": "call-1",
            "tenant": "northwind-energy",
            "flow": "overdue-invoice",
            "node": "pay",
            "pin_digest": "sha256:table",
            "tool": called,
            "tool_id": called.id,
            "granted": frozenset({called.id}),
            "args": given,
            "bound": frozenset(given),
            "attempt": f"{called.id}-1",
            "facts": {"identity_verified": FactRecord("A-1001")},
            "subject": "A-1001",
            "party": PARTY,
            "address": None,
            "purpose": "collections",
            "direction": "outbound",
            "now": NOON,
            "disclosed": frozenset({"ai", "recording"}),
        }
        return ToolRequest(**{**known, **parts})

    def opt_out(self, number: str, call_id: str = "call-1") -> OptOut:
        return OptOut(call_id, "northwind-energy", number, NOON)

    def dial(self, **parts: Any) -> DialRequest:
        """A dial of northwind-energy, at noon in New York, unless said else."""
        known: dict[str, Any] = {
            "call_id": "call-1",
            "tenant": "northwind-energy",
            "flow": "overdue-invoice",
            "pin_digest": "sha256:table",
            "party": PARTY,
            "purpose": "collections",
            "now": NOON,
            "subject": "A-1001",
        }
        return DialRequest(**{**known, **parts})


@pytest.fixture(params=["sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    if request.param == "postgresql":
        url = request.getfixturevalue("fleet_url")
        (tmp_path / "ledger.url").write_text(url, encoding="utf-8")
    made = World(tmp_path)
    yield made
    made.ledger.close()
