"""Attempts of tool calls and their holds: claimed once, held at the worst case, settled once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from trunkline_runtime.gate.decision import Ending
from trunkline_runtime.gate.ledger.connection import insert_if_absent, lock, on_server
from trunkline_runtime.gate.ledger.tables import attempt_buckets, attempts, buckets
from trunkline_runtime.policy.spend import Bucket

# Nobody knows how these ended; the tool may be running this very moment.
_OPEN = ("allowed", "unknown", "expired")
HELD = ("allowed", "unknown")
# After one that was done the call names a new wish by a new key. The same key again comes from a
# process that was lost before it could remember that it was done.
_NOT_AGAIN = (*_OPEN, "done")

# Built once: making a statement costs more than running it.
_FIND = select(attempts).where(attempts.c.key == bindparam("wanted")).with_for_update()
_TENANT_OF = select(attempts.c.tenant).where(attempts.c.key == bindparam("wanted"))
_RESERVE = (
    update(buckets)
    .where(
        buckets.c.key == bindparam("bucket"),
        buckets.c.spent + buckets.c.reserved + bindparam("more") <= bindparam("most"),
    )
    .values(reserved=buckets.c.reserved + bindparam("more"))
)
_INSERT = insert(attempts)
_INSERT_BUCKETS = insert(attempt_buckets)


@dataclass(frozen=True)
class Attempt:
    """One attempt that is about to be allowed. `micros` is the worst case in `currency`.

    `began_at` and `expires_at` are microseconds since 1970.
    """

    key: str
    decision: str
    call: str
    tenant: str
    tool: str
    repeatable: bool
    micros: int
    currency: str | None
    began_at: int
    expires_at: int


class Repeated(Exception):
    """The same attempt may be running or may have happened; running it again could do it twice."""


class OverCap(Exception):
    """A cap has no room for the worst case. Nothing was reserved."""

    def __init__(self, bucket: Bucket) -> None:
        super().__init__(bucket.rule)
        self.bucket = bucket


def claim(connection: Connection, attempt: Attempt, held_in: Sequence[Bucket]) -> None:
    """Makes the attempt this decision's, with its worst case reserved in every bucket.

    An attempt that is open or done is claimed again only if repeating it is harmless; one that is
    open keeps its hold.
    Raises Repeated or OverCap; the caller then rolls the transaction back.
    """
    lock_money(connection, attempt.tenant)
    row = _row(connection, attempt.key)
    if row is not None and row.state in _NOT_AGAIN and not attempt.repeatable:
        raise Repeated
    held = row is not None and row.state in HELD
    if not held:
        for bucket in held_in:
            _reserve(connection, bucket, attempt.micros)
    values: dict[str, Any] = {
        "decision": attempt.decision,
        "state": "allowed",
        "expires_at": attempt.expires_at,
    }
    if row is None:
        connection.execute(
            _INSERT,
            {
                "key": attempt.key,
                "call": attempt.call,
                "tenant": attempt.tenant,
                "tool": attempt.tool,
                "held": attempt.micros,
                "spent": 0,
                "currency": attempt.currency,
                "began_at": attempt.began_at,
                **values,
            },
        )
    else:
        if not held:
            values["held"] = attempt.micros
            values["spent"] = 0
        connection.execute(update(attempts).where(attempts.c.key == attempt.key).values(values))
    if not held:
        _name_buckets(connection, attempt.key, held_in, anew=row is None)


def settle(
    connection: Connection, key: str, decision: str, ending: Ending, micros: int | None
) -> bool:
    """Ends an attempt: the hold goes, the real cost counts. Returns whether anything changed.

    An ending that is reported twice, or for a decision that another one replaced, changes nothing.
    One that comes after the hold expired corrects what the expiry counted.
    """
    if on_server(connection):
        tenant = connection.execute(_TENANT_OF, {"wanted": key}).scalar_one_or_none()
        lock_money(connection, tenant or "")
    row = _row(connection, key)
    if row is None or row.decision != decision or row.state not in _OPEN:
        return False
    if ending == "unknown":
        if row.state == "expired":
            return False
        connection.execute(update(attempts).where(attempts.c.key == key).values(state="unknown"))
        return True
    cost = 0 if ending in ("failed", "withdrawn") else row.held if micros is None else micros
    count(connection, row, cost)
    connection.execute(
        update(attempts).where(attempts.c.key == key).values(state=ending, spent=cost)
    )
    return True


def lock_money(connection: Connection, tenant: str) -> None:
    """One at a time counts a tenant's money: holds and buckets have several rows, and two that lock
    them in different orders would wait for each other. A bucket is of one tenant, so those who
    wait here would wait for its row anyway.
    """
    lock(connection, f"money {tenant}")


def _row(connection: Connection, key: str) -> Row[Any] | None:
    return connection.execute(_FIND, {"wanted": key}).one_or_none()


def _reserve(connection: Connection, bucket: Bucket, micros: int) -> None:
    values = {"bucket": bucket.key, "more": micros, "most": bucket.limit}
    if connection.execute(_RESERVE, values).rowcount == 1:
        return
    empty = {"key": bucket.key, "spent": 0, "reserved": 0}
    if not insert_if_absent(connection, buckets, empty):
        raise OverCap(bucket)
    if connection.execute(_RESERVE, values).rowcount != 1:
        raise OverCap(bucket)


def _name_buckets(connection: Connection, key: str, held_in: Sequence[Bucket], anew: bool) -> None:
    if not anew:
        connection.execute(delete(attempt_buckets).where(attempt_buckets.c.attempt == key))
    if held_in:
        connection.execute(
            _INSERT_BUCKETS, [{"attempt": key, "bucket": bucket.key} for bucket in held_in]
        )


def count(connection: Connection, row: Row[Any], cost: int) -> None:
    """Replaces what the attempt counted so far in each of its buckets by its cost."""
    reserved = row.held if row.state in HELD else 0
    names = select(attempt_buckets.c.bucket).where(attempt_buckets.c.attempt == row.key)
    connection.execute(
        update(buckets)
        .where(buckets.c.key.in_(names))
        .values(
            reserved=buckets.c.reserved - reserved,
            spent=buckets.c.spent + (cost - row.spent),
        )
    )
