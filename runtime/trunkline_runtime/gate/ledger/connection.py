"""Opens the database so that what was acknowledged is on disk, and writers wait for each other."""

import re
import sqlite3
import time
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, Table, create_engine, event, literal_column
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.dml import ReturningInsert

from trunkline_runtime.gate.ledger.tables import metadata

# How long a writer waits for the one before it.
_WAIT_SECONDS = 5.0
# How long a server may take to be reached, and how long it may take over one statement.
_SERVER_OPTIONS = {
    "connect_timeout": 3,
    "options": f"-c statement_timeout={int(_WAIT_SECONDS * 1000)} -c synchronous_commit=on",
}
# Any number: it names the lock under which the tables are made.
_MAKING_TABLES = 715_001


def open_engine(url: str) -> Engine:
    """The engine of a ledger, its tables made. Raises SQLAlchemyError if it cannot be opened."""
    if url.startswith("sqlite"):
        engine = create_engine(url, connect_args={"timeout": _WAIT_SECONDS})
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_at_once)
    else:
        engine = create_engine(
            # The one driver that is installed, however the scheme is written.
            re.sub(r"^postgres(ql)?://", "postgresql+psycopg://", url),
            isolation_level="READ COMMITTED",
            pool_pre_ping=True,
            connect_args=_SERVER_OPTIONS,
        )
    try:
        with engine.begin() as connection:
            if on_server(connection):
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MAKING_TABLES})")
            metadata.create_all(connection)
    except SQLAlchemyError:
        engine.dispose()
        raise
    return engine


def on_server(connection: Connection) -> bool:
    """Whether several write at the same time. SQLite has one writer at a time anyway."""
    return connection.dialect.name == "postgresql"


def lock(connection: Connection, name: str) -> None:
    """Nobody else holds a lock of this name until the transaction ends."""
    if on_server(connection):
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (name,))


def _prepare_sqlite(connection: Any, record: object) -> None:
    # The driver would begin transactions on its own, and only at the first write.
    connection.isolation_level = None
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute(f"PRAGMA busy_timeout = {int(_WAIT_SECONDS * 1000)}")
            # Switching to the write-ahead log does not wait for the busy timeout.
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(0.01)
    # In the write-ahead log NORMAL would lose the last commits when the power fails.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin_at_once(connection: Connection) -> None:
    # A transaction that reads first and writes later could find that another wrote in between. One
    # that only looks sees what was committed when it began, and no writer keeps it waiting.
    looking = connection.get_execution_options().get("looking")
    connection.exec_driver_sql("BEGIN" if looking else "BEGIN IMMEDIATE")


def insert_if_absent(connection: Connection, table: Table, values: dict[str, object]) -> bool:
    """Inserts a row unless one with its key is there. Returns whether it did."""
    inserted = connection.execute(_absent(connection.dialect.name, table), values)
    return inserted.first() is not None


@cache
def _absent(dialect: str, table: Table) -> ReturningInsert[Any]:
    kind = postgresql.insert if dialect == "postgresql" else sqlite.insert
    # A count of rows is not told by every driver for an insert; a row that comes back is.
    return kind(table).on_conflict_do_nothing().returning(literal_column("1"))
