"""Holds that ran out: their worst case counts as spent, and the record is owed a line about it.

The debt is written in the same transaction, so that a process that dies before it could write the
line leaves it to the next one: ledger and record agree in the end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from trunkline_runtime.gate.ledger.attempts import HELD, count, lock_money
from trunkline_runtime.gate.ledger.instants import from_micros, to_micros
from trunkline_runtime.gate.ledger.tables import attempts, owed_lines

# Built once: making a statement costs more than running it.
_BEYOND = (attempts.c.state.in_(HELD), attempts.c.expires_at <= bindparam("now"))
_RAN_OUT = (
    select(attempts).where(*_BEYOND, attempts.c.tenant == bindparam("whose")).with_for_update()
)
_WITH_HOLDS_BEYOND = select(attempts.c.tenant).where(*_BEYOND).distinct()
_OWED = (
    select(owed_lines)
    .order_by(owed_lines.c.at, owed_lines.c.decision)
    .limit(1000)
    .with_for_update(skip_locked=True)
)
_PAID = delete(owed_lines).where(owed_lines.c.decision == bindparam("of"))


@dataclass(frozen=True)
class Expiry:
    """A hold that ran out at `at`: `micros` of `currency` count as spent from then on."""

    decision: str
    attempt: str
    call: str
    tenant: str
    tool: str
    micros: int
    currency: str | None
    at: datetime


def expire(connection: Connection, now: datetime, tenant: str) -> int:
    """Counts the worst case of every hold of a tenant that ran out; returns how many did.

    Its holder died or never said how the tool ended. Money that may have been spent counts as
    spent; a settlement that comes late corrects it.
    """
    lock_money(connection, tenant)
    at = to_micros(now)
    rows = connection.execute(_RAN_OUT, {"now": at, "whose": tenant}).all()
    for row in rows:
        count(connection, row, row.held)
        connection.execute(
            update(attempts)
            .where(attempts.c.key == row.key)
            .values(state="expired", spent=row.held)
        )
        connection.execute(
            insert(owed_lines),
            {
                "decision": row.decision,
                "attempt": row.key,
                "call": row.call,
                "tenant": row.tenant,
                "tool": row.tool,
                "micros": row.held,
                "currency": row.currency,
                "at": at,
            },
        )
    return len(rows)


def tenants_with_holds_beyond(connection: Connection, now: datetime) -> tuple[str, ...]:
    """The tenants of whom a hold ran out."""
    return tuple(connection.execute(_WITH_HOLDS_BEYOND, {"now": to_micros(now)}).scalars())


def owed(connection: Connection) -> tuple[Expiry, ...]:
    """Expiries of which no record has a line yet, oldest first; nobody else gets the same ones."""
    return tuple(
        Expiry(
            row.decision,
            row.attempt,
            row.call,
            row.tenant,
            row.tool,
            row.micros,
            row.currency,
            from_micros(row.at),
        )
        for row in connection.execute(_OWED)
    )


def paid(connection: Connection, expiries: Sequence[Expiry]) -> None:
    """The lines about these are on disk."""
    if expiries:
        connection.execute(_PAID, [{"of": expiry.decision} for expiry in expiries])
