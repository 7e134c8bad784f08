"""Finds decisions in the record: by number, call, decision, tool or tenant."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trunkline_runtime.gate.chain import records

_PLACES = {"decision": "id"}  # where a line has a name, if not under its own word


@dataclass(frozen=True)
class Wanted:
    """What a record must match; None matches anything. `token` is a number's, not the number."""

    token: str | None = None
    call: str | None = None
    decision: str | None = None
    tool: str | None = None
    tenant: str | None = None
    answer: str | None = None

    def matches(self, record: Mapping[str, Any]) -> bool:
        reached = record.get("reached") or ()
        return (
            (self.token is None or self.token == record.get("party") or self.token in reached)
            and self.call in (None, call_in(record))
            and self.decision in (None, record.get("id"), record.get("decision"))
            and self.tool in (None, record.get("tool"))
            and self.tenant in (None, record.get("tenant"))
            and self.answer in (None, record.get("decision"))
        )


def call_in(record: Mapping[str, Any]) -> Any:
    """The id of the call that a line is about: of a decision, or of the record of calls."""
    return record.get("call", record.get("call_id"))


def found(folder: Path, wanted: Wanted) -> Iterator[Mapping[str, Any]]:
    """The records that match, oldest first."""
    return (record for record in records(folder) if wanted.matches(record))


def with_settlements(folder: Path, chosen: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The chosen records and what was recorded of how their tools ended or their holds ran out, in
    order.
    """
    ids = {record["id"] for record in chosen if "id" in record}
    places = {record.get("seq") for record in chosen}
    return [
        record
        for record in records(folder)
        if record.get("seq") in places
        or (record.get("kind") in ("settled", "expired") and record.get("decision") in ids)
    ]


def names_on_record(folder: Path, keys: Collection[str]) -> Mapping[str, set[str]]:
    """Every tenant, tool, call or decision that some record names, for those of `keys`."""
    names: dict[str, set[str]] = {key: set() for key in keys}
    for record in records(folder):
        for key in keys:
            name = call_in(record) if key == "call" else record.get(_PLACES.get(key, key))
            if isinstance(name, str):
                names[key].add(name)
    return names
