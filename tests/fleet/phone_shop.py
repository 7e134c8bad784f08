"""A store with a tenant that calls and is called, and a policy that allows it at any hour."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from shop import HandMade, Shop, tenant

PARTY = "+33142685302"
_RULE = {
    "level": "mandatory",
    "source": "company policy",
    "verified": "2026-11-29",
    "effective_from": "2026-01-01",
}
_TALK = {
    "instructions": "Talk.",
    "edges": [
        {"to": "desk", "when": "they want a human"},
        {"to": "cold", "when": "they want the old human"},
        {"to": "more", "when": "they want to go on"},
        {"to": "bye", "when": "they are done"},
    ],
}


def _table(tenant: str, flow: str, direction: str, **more: Any) -> dict[str, Any]:
    return {
        "schema": "trunkline/node-table/v1",
        "tenant": tenant,
        "flow": flow,
        "direction": direction,
        "language": "en-US",
        "start": "hello",
        "slots": {"name": {"type": "string", "pii": True}},
        "nodes": {
            "hello": {**_TALK, "say": "This is Acme."},
            "more": {**_TALK, "collect": [], "say": "There is more."},
            "desk": {
                "kind": "transfer",
                "number": "support",
                "mode": "warm",
                "on_failure": "bye",
            },
            "cold": {
                "kind": "transfer",
                "number": "support",
                "mode": "cold",
                "on_failure": "bye",
            },
            "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
            "message": {"kind": "end", "say": "Please call us back.", "outcome": "voicemail"},
        },
        "tools": {},
        **more,
    }


def _flows(tenant: str) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    yield (tenant, "line"), _table(tenant, "line", "inbound")
    inputs = {"account_id": {"type": "string"}}
    yield (
        (tenant, "remind"),
        _table(tenant, "remind", "outbound", purpose="collections", inputs=inputs),
    )
    answer = {"machine": "message"}
    yield (
        (tenant, "ask"),
        _table(tenant, "ask", "outbound", purpose="collections", answer=answer),
    )


def phone_shop(tmp_path: Path, tenants: Sequence[str] = ("acme",)) -> Shop:
    """Not published yet. `remind` calls people about invoices, `line` answers those who call."""
    root = tmp_path / "repository"
    root.mkdir()
    flows = {key: table for id in tenants for key, table in _flows(id)}
    compiled = HandMade(
        tables=flows,
        entries={},
        tenants={
            id: {
                **tenant(id),
                "inbound": {f"+120255501{number}0": "line"},
                "numbers": {"support": "+12025550101", "fallback": "+12025550199"},
            }
            for number, id in enumerate(tenants, start=1)
        },
        policy={
            "purposes.yaml": {
                "schema_version": 1,
                "purposes": {
                    "collections": {
                        **_RULE,
                        "description": "Remind account holders.",
                        "direction": "outbound",
                    }
                },
                "grants": {id: ["collections"] for id in tenants},
            },
            "dnc.yaml": {"schema_version": 1, "lists": []},
            "jurisdictions/fr.yaml": {
                "schema_version": 1,
                "region": "FR",
                "name": "France",
                "zones": ["Europe/Paris"],
                "windows": [
                    {
                        **_RULE,
                        "id": "fr-window",
                        "description": "At any hour.",
                        "applies_to": {"direction": "outbound"},
                        "hours": {"mon-sun": ["00:00-24:00"]},
                    }
                ],
            },
        },
        facts={},
        outcomes={
            "no_action": {"description": "Nothing was agreed."},
            "voicemail": {"description": "A machine answered."},
        },
    )
    return Shop(root, tmp_path / "store", compiled, tenants=list(tenants))
