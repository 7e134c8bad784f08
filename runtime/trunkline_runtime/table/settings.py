"""A tenant's settings as a release carries them: numbers, connections, hours, voice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class TenantSettings:
    """What `tenant.yaml` says, checked against `tenant.schema.json`.

    `numbers` maps a name to E.164, `inbound` a dialled E.164 number to a flow of this tenant,
    `connections` a system's id to its settings (`base_url_env`), `policy` may only tighten.
    """

    id: str
    display_name: str
    timezone: str
    hours: Mapping[str, Any]
    connections: Mapping[str, Mapping[str, Any]]
    numbers: Mapping[str, str]
    inbound: Mapping[str, str]
    voice: Mapping[str, Any]
    vars: Mapping[str, Any]
    policy: Mapping[str, Any]
    document: Mapping[str, Any]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> "TenantSettings":
        return cls(
            id=document["id"],
            display_name=document["display_name"],
            timezone=document["timezone"],
            hours=document.get("hours", {}),
            connections={
                name: dict(value or {}) for name, value in document.get("connections", {}).items()
            },
            numbers=document.get("numbers", {}),
            inbound=document.get("inbound", {}),
            voice=document.get("voice", {}),
            vars=document.get("vars", {}),
            policy=document.get("policy", {}),
            document=document,
        )
