"""A decision that the gate took, found again in its record by its id."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from trunkline_runtime.policy.clock import UnknownZone, instant, zone
from trunkline_runtime.policy.verdict import Reason, ReasonKind, Verdict
from trunkline_runtime.state import state_folder
from trunkline_runtime.table.canonical import canonical_bytes


def record_folder() -> Path:
    """Where this machine's record lies."""
    return state_folder() / "decisions"


class NotOnRecord(LookupError):
    """There is no such decision, or its line cannot be trusted; the message says which."""


@dataclass(frozen=True)
class Recorded:
    """A decision as it was taken. `what` is the tool, or `dial`; `lists` are id → digest of the
    generation that was asked. The record holds no phone number, so nor does this.
    """

    id: str
    verdict: Verdict
    what: str
    tenant: str
    flow: str
    call: str
    purpose: str
    voice: str
    at: datetime
    policy: str
    policy_sequence: int | None
    tzdata: str
    lists: Mapping[str, str]


def decision_on_record(folder: Path, id: str) -> Recorded:
    """The decision of this id in the record that lies in `folder`. Its own line is checked against
    its hash; whether lines are missing is for `trunkline-runtime audit verify` to say.

    Raises NotOnRecord or OSError.
    """
    for line in _lines_with(folder, id):
        try:
            body = json.loads(line)
        except ValueError:
            continue
        if isinstance(body, dict) and body.get("id") == id and body.get("kind") in ("tool", "dial"):
            claimed = body.pop("hash", None)
            if claimed != "sha256:" + hashlib.sha256(canonical_bytes(body)).hexdigest():
                raise NotOnRecord(f"the line of decision {id} was altered: it does not verify")
            return _recorded(body)
    raise NotOnRecord(f"there is no decision {id} in {folder}")


def _lines_with(folder: Path, id: str) -> Iterator[bytes]:
    """Whole lines that mention the id, newest file first: what is asked about is mostly recent."""
    wanted = json.dumps(id).encode()
    for path in sorted(folder.glob("decisions-*.jsonl"), reverse=True):
        with path.open("rb") as file:
            yield from (line for line in file if wanted in line and line.endswith(b"\n"))


def _recorded(body: Mapping[str, Any]) -> Recorded:
    at = instant(body["at"])
    known = body["next_allowed"]
    verdict = Verdict(
        rules=tuple(body["rules"]),
        reasons=tuple(
            Reason(cast(ReasonKind, reason["kind"]), reason["rule"], reason["message"])
            for reason in body["reasons"]
        ),
        zones=tuple(body["zones"]),
        next_allowed=None if known is None else instant(known),
        local_times=tuple(_local_times(at, body["zones"])),
    )
    return Recorded(
        id=body["id"],
        verdict=verdict,
        what=body.get("tool") or "dial",
        tenant=body["tenant"],
        flow=body["flow"],
        call=body["call"],
        purpose=body["purpose"],
        voice=body["voice"],
        at=at,
        policy=body["policy"],
        policy_sequence=body["policy_sequence"],
        tzdata=body["tzdata"],
        lists=body["lists"],
    )


def _local_times(at: datetime, zones: list[str]) -> Iterator[tuple[str, str]]:
    for name in zones:
        try:
            yield name, at.astimezone(zone(name)).isoformat(timespec="minutes")
        except UnknownZone:
            yield name, "this machine does not know the zone"
