"""The ledger: transactions in which a decision reads what counts and writes what it takes."""

import contextlib
import fcntl
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, bindparam, insert, make_url, or_, select
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.decision import Ending
from trunkline_runtime.gate.ledger.attempts import Attempt, claim, settle
from trunkline_runtime.gate.ledger.connection import insert_if_absent, lock, open_engine
from trunkline_runtime.gate.ledger.expiry import (
    Expiry,
    expire,
    owed,
    paid,
    tenants_with_holds_beyond,
)
from trunkline_runtime.gate.ledger.instants import from_micros, to_micros
from trunkline_runtime.gate.ledger.switches import (
    KillSwitch,
    all_switches,
    lift,
    switches_for,
    turn_on,
)
from trunkline_runtime.gate.ledger.tables import contacts, opt_outs
from trunkline_runtime.gate.request import ContactRecord, OptOut
from trunkline_runtime.policy.question import Contact
from trunkline_runtime.policy.spend import Bucket

_SUPPORTED = ("postgresql://", "postgresql+psycopg://", "postgres://", "sqlite:///")
PLATFORM = "*"
URL_VARIABLE = "TRUNKLINE_LEDGER_URL"
LEDGER_FILE = "ledger.sqlite3"

# Built once: making a statement costs more than running it.
_OPTED_OUT = (
    select(opt_outs.c.number)
    .where(
        opt_outs.c.number == bindparam("wanted"),
        or_(opt_outs.c.scope == bindparam("tenant"), opt_outs.c.scope == PLATFORM),
    )
    .limit(1)
)
_HISTORY = select(contacts.c.at, contacts.c.kind, contacts.c.subject).where(
    contacts.c.tenant == bindparam("tenant"),
    contacts.c.number == bindparam("wanted"),
    contacts.c.call != bindparam("without"),
)
_CONTACTED = (
    select(contacts.c.id)
    .where(
        contacts.c.tenant == bindparam("tenant"),
        contacts.c.call == bindparam("within"),
        contacts.c.number == bindparam("wanted"),
        contacts.c.kind == "attempt",
    )
    .limit(1)
)
_ADD_CONTACT = insert(contacts)


class LedgerDown(Exception):
    """The database does not answer. Nothing was written; the message holds no value of a row."""


class Transaction:
    """Reads and writes that happen together or not at all."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def lock_number(self, number: str) -> None:
        """Nobody else decides about this number until the transaction ends. Several are locked in
        their order, and before any money is counted.
        """
        lock(self._connection, f"number {number}")

    def opted_out(self, number: str, tenant: str) -> bool:
        """Whether somebody asked this tenant, or the platform, not to call again."""
        values = {"wanted": number, "tenant": tenant}
        return self._connection.execute(_OPTED_OUT, values).one_or_none() is not None

    def history(
        self, number: str, tenant: str, without_call: str | None = None
    ) -> tuple[Contact, ...]:
        """The tenant's contacts with a number, but for those of one call."""
        values = {"wanted": number, "tenant": tenant, "without": without_call or ""}
        return tuple(
            Contact(from_micros(row.at), row.kind, row.subject)
            for row in self._connection.execute(_HISTORY, values)
        )

    def contacted(self, tenant: str, call: str, number: str) -> bool:
        """Whether a call of a tenant has reached for this number before."""
        values = {"tenant": tenant, "wanted": number, "within": call}
        return self._connection.execute(_CONTACTED, values).one_or_none() is not None

    def add_contact(self, contact: ContactRecord) -> None:
        """Counts a contact."""
        self._connection.execute(
            _ADD_CONTACT,
            {
                "tenant": contact.tenant,
                "number": contact.number,
                "kind": contact.kind,
                "subject": contact.subject,
                "call": contact.call_id,
                "at": to_micros(contact.now),
            },
        )

    def add_opt_out(self, opt_out: OptOut) -> None:
        """Puts a number on the internal list, from where nothing takes it off."""
        insert_if_absent(
            self._connection,
            opt_outs,
            {
                "number": opt_out.number,
                "scope": PLATFORM if opt_out.scope == "platform" else opt_out.tenant,
                "at": to_micros(opt_out.now),
                "call": opt_out.call_id,
                "source": opt_out.source,
            },
        )

    def claim(self, attempt: Attempt, held_in: Sequence[Bucket]) -> None:
        """See `attempts.claim`: raises Repeated or OverCap."""
        claim(self._connection, attempt, held_in)

    def settle(self, key: str, decision: str, ending: Ending, micros: int | None) -> bool:
        """See `attempts.settle`."""
        return settle(self._connection, key, decision, ending, micros)

    def expire(self, now: datetime, tenant: str) -> int:
        """See `expiry.expire`."""
        return expire(self._connection, now, tenant)

    def tenants_with_holds_beyond(self, now: datetime) -> tuple[str, ...]:
        """The tenants of whom a hold ran out."""
        return tenants_with_holds_beyond(self._connection, now)

    def owed(self) -> tuple[Expiry, ...]:
        """See `expiry.owed`."""
        return owed(self._connection)

    def paid(self, expiries: Sequence[Expiry]) -> None:
        """See `expiry.paid`."""
        paid(self._connection, expiries)

    def switches(
        self, tenant: str, flow: str | None = None, tool: str | None = None
    ) -> tuple[KillSwitch, ...]:
        """The switches that are on and stop this."""
        return switches_for(self._connection, tenant, flow, tool)

    def all_switches(self) -> tuple[KillSwitch, ...]:
        """Every switch that is on, oldest first."""
        return all_switches(self._connection)

    def turn_on(self, switch: KillSwitch) -> None:
        """Adds a switch; one of the same id stays as it is."""
        turn_on(self._connection, switch)

    def lift(self, id: str, by: str, now: datetime) -> bool:
        """Turns a switch off; False if there is none that is on."""
        return lift(self._connection, id, by, now)


class Ledger:
    """One database, shared by threads and by processes."""

    def __init__(self, url: str) -> None:
        """Opens it and makes its tables. Raises LedgerDown."""
        path = make_url(url).database if url.startswith("sqlite") else None
        self._queue = f"{path}.queue" if path and path != ":memory:" else None
        try:
            self._engine = open_engine(url)
            self._looking = self._engine.execution_options(looking=True)
        except SQLAlchemyError as problem:
            raise LedgerDown(_words(problem)) from None

    @classmethod
    def of_environment(cls, state: Path) -> "Ledger":
        """The database of `TRUNKLINE_LEDGER_URL`, else a file below `state`.

        Raises LedgerDown, and FatalError for a URL that names no database that is supported.
        """
        url = os.environ.get(URL_VARIABLE)
        if not url:
            return cls.at(state / LEDGER_FILE)
        if not url.startswith(_SUPPORTED):
            # The URL itself is not shown: it may hold a password.
            raise FatalError(f"{URL_VARIABLE} must begin with postgresql:// or sqlite:///")
        try:
            make_url(url)
        except (ArgumentError, ValueError):
            raise FatalError(f"{URL_VARIABLE} is no URL of a database, its port perhaps") from None
        return cls(url)

    @classmethod
    def at(cls, path: Path) -> "Ledger":
        """A SQLite file, readable by its owner only. Raises LedgerDown."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600, exist_ok=True)
        except OSError as problem:
            raise LedgerDown(f"{path}: {problem.strerror}") from None
        return cls(f"sqlite:///{path}")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Commits when the block ends, on disk; rolls back if it raises. Raises LedgerDown."""
        try:
            with self._turn(), self._engine.begin() as connection:
                yield Transaction(connection)
        except SQLAlchemyError as problem:
            raise LedgerDown(_words(problem)) from None

    @contextlib.contextmanager
    def _turn(self) -> Iterator[None]:
        """This writer's turn at a SQLite file. The kernel wakes the next one at once; SQLite itself
        would have it sleep for up to a tenth of a second. A holder that dies loses its turn.
        """
        if self._queue is None:
            yield
            return
        try:
            handle = os.open(self._queue, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as problem:
            raise LedgerDown(f"the ledger cannot be queued for: {problem.strerror}") from None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    @contextlib.contextmanager
    def asking(self) -> Iterator[Transaction]:
        """For looking only, and waits for nobody: whatever the block wrote is rolled back.

        Raises LedgerDown.
        """
        try:
            with self._looking.connect() as connection:
                yield Transaction(connection)
        except SQLAlchemyError as problem:
            raise LedgerDown(_words(problem)) from None

    def close(self) -> None:
        """Drops the connections of this process."""
        self._engine.dispose()


def _words(problem: SQLAlchemyError) -> str:
    # The text of the driver's error may quote a statement with its values.
    origin = getattr(problem, "orig", None)
    return f"the ledger does not answer ({type(origin or problem).__name__})"
