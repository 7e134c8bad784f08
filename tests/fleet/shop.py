"""A compiled repository made by hand, and a store that is filled from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trunkline.release.open_store import open_store
from trunkline.release.publish import Publication, Terms, publish
from trunkline.release.signing import UNSIGNED, Signing
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.source import Source
from trunkline_runtime.release.store import open_source

NOW = datetime(2026, 12, 1, 15, 0, tzinfo=UTC)


@dataclass(frozen=True)
class HandMade:
    """What compiling gives, as far as publishing reads it."""

    tables: Mapping[tuple[str, str], Mapping[str, Any]]
    entries: Mapping[str, ToolEntry]
    tenants: Mapping[str, Mapping[str, Any]]
    policy: Mapping[str, Mapping[str, Any]]
    facts: Mapping[str, Any] | None = None
    outcomes: Mapping[str, Any] | None = None


@dataclass
class Shop:
    """A store being filled: what goes in, where, and under which compiler version."""

    root: Path
    store: Path
    compiled: HandMade
    compiler: str = "0.1.0"
    tenants: list[str] = field(default_factory=lambda: ["acme", "birch"])
    channels: dict[str, Any] = field(default_factory=dict)
    signing: Signing = UNSIGNED
    place: str = ""
    now: datetime = NOW

    def publish(self) -> Publication:
        terms = Terms(self.signing, self.channels, self.now)
        store = open_store(self.place or str(self.store))
        return publish(self.compiled, store, self.root, self.compiler, self.tenants, terms)

    def say(self, tenant: str, words: str) -> None:
        """Changes what the tenant's flow says at its end."""
        table = self.compiled.tables[tenant, "bill"]
        nodes = {**table["nodes"], "bye": {**table["nodes"]["bye"], "say": words}}
        self.change(tables={**self.compiled.tables, (tenant, "bill"): {**table, "nodes": nodes}})

    def change(self, **parts: Any) -> None:
        self.compiled = replace(self.compiled, **parts)

    @property
    def source(self) -> Source:
        """The store as it is read: the folder, or the registry at `place`."""
        return open_source(self.place or str(self.store))


ENTRY = ToolEntry.from_document(
    "billing",
    {
        "schema_version": 1,
        "id": "get_invoice",
        "description": "Look up the open invoice.",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": False},
        "result": {"type": "object", "properties": {"amount_due": {"type": "number"}}},
        "effects": ["reads_pii"],
        "establishes": {"invoice_found": "result.amount_due > 0.0"},
        "timeout_seconds": 5,
        "run": {"http": {"method": "GET", "path": "/invoices"}},
    },
)


def table(tenant: str, say: str = "Goodbye.") -> dict[str, Any]:
    return {
        "schema": "trunkline/node-table/v1",
        "tenant": tenant,
        "flow": "bill",
        "direction": "inbound",
        "language": "en-US",
        "start": "hello",
        "slots": {"amount_due": {"type": "number"}},
        "nodes": {
            "hello": {
                "instructions": "Ask whether they want to hear their bill.",
                "tools": [{"id": "get_invoice", "sets": {"amount_due": "result.amount_due"}}],
                "edges": [{"to": "human", "when": "they want a human"}, {"to": "bye"}],
            },
            "human": {"kind": "transfer", "number": "support", "mode": "warm", "on_failure": "bye"},
            "bye": {"kind": "end", "say": say, "outcome": "no_action"},
        },
        "tools": {"get_invoice": ENTRY.digest},
    }


def tenant(id: str) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "id": id,
        "display_name": id.title(),
        "timezone": "America/New_York",
        "connections": {"billing": {"base_url_env": f"{id.upper()}_BILLING_URL"}},
        "numbers": {"support": "+12025550101"},
        "inbound": {"+12025550110": "bill"},
    }


def new_shop(tmp_path: Path) -> Shop:
    """Two tenants with one flow each, not published yet; no git."""
    root = tmp_path / "repository"
    root.mkdir()
    compiled = HandMade(
        tables={(id, "bill"): table(id) for id in ("acme", "birch")},
        entries={"get_invoice": ENTRY},
        tenants={id: tenant(id) for id in ("acme", "birch")},
        policy={
            "requirements.yaml": {
                "schema_version": 1,
                "requirements": [
                    {
                        "id": "verify-before-payment",
                        "level": "mandatory",
                        "effect": "payment",
                        "facts": ["identity_verified"],
                        "source": "company policy",
                        "verified": "2026-11-29",
                        "effective_from": "2026-01-01",
                    }
                ],
            }
        },
        facts={"invoice_found": {"description": "An invoice is open."}},
        outcomes={"no_action": {"description": "Nothing was agreed."}},
    )
    return Shop(root, tmp_path / "store", compiled)
