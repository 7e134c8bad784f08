"""A number is dialled once for each call, however often its job is delivered, and by any worker.

The claim is a row of the ledger that all workers share, made before anything rings. It is given
back only when nothing was dialled for certain: after a refusal of the gate. A worker that dies
between claim and dial leaves a claim that nobody may take again, because nobody knows whether it
rang; the next job for this call says so on its record.
"""

import asyncio
import secrets
from datetime import datetime, timedelta

from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.ledger.attempts import Attempt, Repeated
from trunkline_runtime.gate.ledger.instants import to_micros

_TOOL = "dial"
# An attempt that ran out counts as open for ever, as one that is settled as unknown does.
_LASTS = timedelta(hours=1)


class DialClaims:
    """The claims of one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def claim(self, tenant: str, call_id: str, now: datetime) -> str | None:
        """A token if this call may dial now; None if it has dialled, or may have.

        Raises LedgerDown.
        """
        token = secrets.token_hex(12)
        return token if await asyncio.to_thread(self._claim, tenant, call_id, now, token) else None

    async def give_back(self, tenant: str, call_id: str, token: str) -> None:
        """Nothing was dialled: the call may dial when its job comes again. Raises LedgerDown."""
        await asyncio.to_thread(self._give_back, tenant, call_id, token)

    def _claim(self, tenant: str, call_id: str, now: datetime, token: str) -> bool:
        attempt = Attempt(
            key=_key(tenant, call_id),
            decision=token,
            call=call_id,
            tenant=tenant,
            tool=_TOOL,
            repeatable=False,
            micros=0,
            currency=None,
            began_at=to_micros(now),
            expires_at=to_micros(now + _LASTS),
        )
        try:
            with self._ledger.transaction() as transaction:
                transaction.claim(attempt, ())
        except Repeated:
            return False
        return True

    def _give_back(self, tenant: str, call_id: str, token: str) -> None:
        with self._ledger.transaction() as transaction:
            transaction.settle(_key(tenant, call_id), token, "withdrawn", None)


def _key(tenant: str, call_id: str) -> str:
    return f"dial {tenant} {call_id}"
