"""What other products shipped and had to take back, tried on this one: each is one test."""

import hashlib
import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.request import (
    ContactRecord,
    DialRequest,
    FactRecord,
    OptOut,
    ToolRequest,
)
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.table.settings import TenantSettings

TOP = Path(__file__).parents[3]
NOON = datetime(2026, 12, 1, 17, tzinfo=UTC)
PARTY = "+12125550143"


def read(path: Path) -> Any:
    return yaml.load(path.read_bytes(), yaml.CSafeLoader)


class Product:
    """A worker's gate over the shipped policy, opened as a worker opens it."""

    def __init__(self, state: Path) -> None:
        self.documents = {
            str(path.relative_to(TOP / "policy")): read(path)
            for path in sorted((TOP / "policy").rglob("*.yaml"))
            if path.parent.name != "tests"
        }
        self.changes = 0
        self.gate = PolicyGate.open(self.snapshot, self.settings, state)

    def snapshot(self) -> PolicySnapshot:
        return PolicySnapshot(f"sha256:{self.changes}", self.changes, self.documents)

    def settings(self, tenant: str) -> TenantSettings:
        return TenantSettings.from_document(read(TOP / "flows" / tenant / "tenant.yaml"))

    async def dial(self, **parts: Any) -> list[tuple[str, str]]:
        known: dict[str, Any] = {
            "call_id": "call-1",
            "tenant": "northwind-energy",
            "flow": "overdue-invoice",
            "pin_digest": "sha256:table",
            "party": PARTY,
            "purpose": "collections",
            "now": NOON,
        }
        decision = await self.gate.decide_dial(DialRequest(**{**known, **parts}))
        return [(reason.kind, reason.rule) for reason in decision.reasons]


@pytest.fixture
def product(tmp_path: Path, monkeypatch) -> Product:
    monkeypatch.setenv("TRUNKLINE_DNC_DIR", str(tmp_path / "lists"))
    monkeypatch.delenv("TRUNKLINE_LEDGER_URL", raising=False)
    monkeypatch.delenv("TRUNKLINE_NUMBER_KEY", raising=False)
    (tmp_path / "lists").mkdir()
    return Product(tmp_path)


def with_list(product: Product, folder: Path, text: bytes) -> None:
    """A registry for all purposes, obtained today."""
    (folder / "lists" / "registry.txt").write_bytes(text)
    product.documents["dnc.yaml"] = {
        "schema_version": 1,
        "lists": [
            {
                "id": "registry",
                "uri": "registry.txt",
                "sha256": hashlib.sha256(text).hexdigest(),
                "source": "a test",
                "obtained_at": "2026-12-01T00:00:00Z",
                "max_age": "31d",
            }
        ],
    }
    product.changes += 1


async def test_1_the_list_is_checked_at_the_dial_and_not_when_a_call_was_queued(
    product: Product, tmp_path: Path
) -> None:
    with_list(product, tmp_path, b"212,5550199\n")
    assert await product.dial() == []
    with_list(product, tmp_path, b"212,5550199\n212,5550143\n")
    assert await product.dial() == [("dnc", "registry")]


async def test_2_the_internal_list_needs_no_switch_and_noon_to_nine_is_no_window(
    product: Product,
) -> None:
    await product.gate.record_opt_out(OptOut("call-0", "northwind-energy", PARTY, NOON))
    assert await product.dial() == [("dnc", "internal-list")]
    product.documents["jurisdictions/us.yaml"]["windows"][0]["hours"] = {"mon-sun": "12:00-12:00"}
    product.changes += 1
    assert await product.dial(party="+12125550144") == [("unreadable", "jurisdictions/us")]


async def test_3_state_rules_fire_without_a_field_that_names_the_state(product: Product) -> None:
    late = datetime(2026, 12, 2, 1, 30, tzinfo=UTC)
    assert await product.dial(party="+13055550143", now=late) == [("window", "us-fl-window")]


async def test_4_hours_are_those_of_the_called_party_and_never_utc(product: Product) -> None:
    # 9:30 in UTC is 1:30 in California; 2:30 in UTC is 18:30 there.
    early = datetime(2026, 12, 1, 9, 30, tzinfo=UTC)
    evening = datetime(2026, 12, 1, 2, 30, tzinfo=UTC)
    assert await product.dial(party="+14155550143", now=early) == [("window", "us-window")]
    assert await product.dial(party="+14155550143", now=evening) == []


async def test_5_no_hour_is_lost_or_won_on_the_day_clocks_change(product: Product) -> None:
    for at, expected in (
        (datetime(2026, 11, 1, 12, 59, tzinfo=UTC), [("window", "us-window")]),
        (datetime(2026, 11, 1, 13, 0, tzinfo=UTC), []),
        (datetime(2026, 3, 8, 11, 59, tzinfo=UTC), [("window", "us-window")]),
        (datetime(2026, 3, 8, 12, 0, tzinfo=UTC), []),
    ):
        assert await product.dial(now=at, call_id=at.isoformat()) == expected


async def test_6_arizona_keeps_its_time_all_year(product: Product) -> None:
    for at, expected in (
        (datetime(2026, 7, 6, 14, 59, tzinfo=UTC), [("window", "us-window")]),
        (datetime(2026, 7, 6, 15, 0, tzinfo=UTC), []),
        (datetime(2026, 12, 1, 14, 59, tzinfo=UTC), [("window", "us-window")]),
        (datetime(2026, 12, 1, 15, 0, tzinfo=UTC), []),
    ):
        assert await product.dial(party="+14805550143", now=at) == expected


async def test_7_a_malformed_window_does_not_switch_the_check_off(product: Product) -> None:
    for hours in ("always", {}, {"mon-sun": "8-21"}, None):
        product.documents["jurisdictions/us.yaml"]["windows"][0]["hours"] = hours
        product.changes += 1
        assert await product.dial() != []


async def test_8_a_list_is_compared_number_with_number_however_each_is_written(
    product: Product, tmp_path: Path
) -> None:
    for written in (b"212,5550143\n", b"+12125550143\n", b"  +12125550143  \r\n"):
        with_list(product, tmp_path, written)
        assert await product.dial() == [("dnc", "registry")]


async def test_9_a_text_message_heeds_the_list(product: Product) -> None:
    await product.gate.record_opt_out(OptOut("call-0", "harbor-medical", PARTY, NOON))
    entry = ToolEntry.from_document(
        "messaging", read(TOP / "catalog" / "tools" / "messaging" / "send_sms.yaml")
    )
    decision = await product.gate.decide(
        ToolRequest(
            call_id="call-1",
            tenant="harbor-medical",
            flow="appointments",
            node="send_text",
            pin_digest="sha256:table",
            tool=entry,
            tool_id="send_sms",
            granted=frozenset({"send_sms"}),
            args={"to": PARTY, "text": "See you on Monday."},
            bound=frozenset({"to", "text"}),
            attempt="one",
            facts={"text_agreed": FactRecord()},
            subject=None,
            party=PARTY,
            address=None,
            purpose="care",
            direction="inbound",
            now=NOON,
            disclosed=frozenset({"ai", "recording"}),
        )
    )
    assert [(reason.kind, reason.rule) for reason in decision.reasons] == [("dnc", "internal-list")]


async def test_10_nothing_that_a_call_can_do_takes_a_number_off_the_list(
    product: Product, tmp_path: Path
) -> None:
    gate = product.gate
    await gate.record_opt_out(OptOut("call-0", "northwind-energy", PARTY, NOON))
    await gate.record_opt_out(OptOut("call-1", "northwind-energy", PARTY, NOON, source="again"))
    contact = ContactRecord("call-1", "northwind-energy", PARTY, NOON, "conversation")
    await gate.record_contact(contact)
    gate.expire_holds()
    with sqlite3.connect(tmp_path / "ledger.sqlite3") as database:
        assert database.execute("SELECT number, scope FROM opt_outs").fetchall() == [
            (PARTY, "northwind-energy")
        ]
    assert await product.dial() == [("dnc", "internal-list"), ("frequency", "us-debt-calls")]
    ledger = TOP / "runtime" / "trunkline_runtime" / "gate" / "ledger"
    for path in ledger.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "delete(opt_outs" not in text
        assert "update(opt_outs" not in text
