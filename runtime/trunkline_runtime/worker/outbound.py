"""An outgoing call up to the moment at which somebody, or something, has picked up.

In this order: the call is claimed, the gate decides, it rings. The claim comes first, so that a job
that is delivered again does not even count as an attempt; the gate decides at the moment of
dialling, whatever was decided before.
"""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.masking import masked_text
from trunkline_runtime.gate.decision import Decision
from trunkline_runtime.gate.ledger import LedgerDown
from trunkline_runtime.gate.request import DialRequest, Gate
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.worker.dial_claim import DialClaims
from trunkline_runtime.worker.job import Job
from trunkline_runtime.worker.sip import Dialled

logger = logging.getLogger("trunkline.worker")

# What a call ends with that was never held, beside `busy` and `no_answer` of the telephone.
NOT_ALLOWED = "not_allowed"
NOT_DIALLED_AGAIN = "not_dialled_again"
DIAL_FAILED = "failed"

_BEFORE = (
    "a job for this call came before: it has dialled, or may have, and nobody is dialled twice"
)


class Telephone(Protocol):
    """Dials the party of a call into its room."""

    async def dial(self, number: str, ring_seconds: int) -> Dialled: ...


@dataclass(frozen=True)
class Outbound:
    """What an outgoing call goes through before it is held."""

    gate: Gate
    claims: DialClaims
    telephone: Telephone

    async def reach(self, call: Call, job: Job) -> bool:
        """Dials the party of `call`. True if somebody picked up; else its outcome is decided.

        What was asked, decided and came of it is put into `call.state.dial`. Never raises for what
        a ledger, a network or a telephone can do.
        """
        state = call.state
        assert state.party is not None  # the job was checked
        try:
            token = await self.claims.claim(state.tenant, state.call_id, call.clock.now())
        except LedgerDown as problem:
            return _ends(call, DIAL_FAILED, {"ending": "not_dialled", "why": str(problem)})
        if token is None:
            return _ends(call, NOT_DIALLED_AGAIN, {"ending": "not_dialled", "why": _BEFORE})
        decision = await self.gate.decide_dial(_request(call, job))
        said = _decided(decision)
        if not decision.allowed:
            await self._give_back(call, token)
            return _ends(call, NOT_ALLOWED, {**said, "ending": "not_dialled"})
        began = time.monotonic()
        dialled = await self.telephone.dial(state.party, job.ring_seconds)
        state.dial = {
            **said,
            "ending": dialled.ending,
            "sip_status": dialled.status,
            "seconds": round(time.monotonic() - began, 3),
        }
        if dialled.ending == "answered":
            return True
        if dialled.ending in ("busy", "no_answer"):
            state.answered_by = dialled.ending
            return False
        return _ends(call, DIAL_FAILED, state.dial)

    async def has_dialled(self, call: Call) -> bool | None:
        """Whether this call has dialled, or may have; None if the ledger does not say. If it has
        not, nobody may dial for it any more.
        """
        state = call.state
        try:
            claimed = await self.claims.claim(state.tenant, state.call_id, call.clock.now())
        except LedgerDown as problem:
            logger.warning("whether a call has dialled can't be told (%s)", problem)
            return None
        return claimed is None

    async def _give_back(self, call: Call, token: str) -> None:
        try:
            await self.claims.give_back(call.state.tenant, call.state.call_id, token)
        except LedgerDown as problem:
            # The call can't be dialled under this id again: that is the safe side.
            logger.warning("a claim to dial could not be given back (%s)", problem)


def _request(call: Call, job: Job) -> DialRequest:
    state = call.state
    assert state.party is not None
    return DialRequest(
        call_id=state.call_id,
        tenant=state.tenant,
        flow=state.flow,
        pin_digest=call.pin.digest,
        party=state.party,
        purpose=call.table.purpose or "",
        now=call.clock.now(),
        address=job.address,
        subject=job.subject,
        consents=frozenset(state.consents),
    )


def _decided(decision: Decision) -> dict[str, Json]:
    return {
        "decision": decision.id,
        "allowed": decision.allowed,
        "rules": list(decision.rules),
        "reasons": [
            f"{reason.kind}: {masked_text(reason.message, ())}" for reason in decision.reasons
        ],
        "next_allowed": None
        if decision.next_allowed is None
        else decision.next_allowed.isoformat(),
    }


def _ends(call: Call, outcome: str, dial: Mapping[str, Json]) -> bool:
    """The call is over before it began."""
    state = call.state
    state.dial = dict(dial)
    state.outcome, state.over = outcome, True
    return False
