"""The tables of the ledger. Amounts are integer micro-units, instants microseconds since 1970."""

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
)

metadata = MetaData()

# One row for each attempt of a tool call: its state, and the hold on its worst case. `state` is
# allowed (it may be running), unknown (it may have happened), done, failed, withdrawn or expired.
attempts = Table(
    "attempts",
    metadata,
    Column("key", String, primary_key=True),
    Column("decision", String, nullable=False),
    Column("call", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("state", String, nullable=False),
    Column("held", BigInteger, nullable=False),
    Column("spent", BigInteger, nullable=False),
    Column("currency", String, nullable=True),
    Column("began_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("attempts_open", "state", "expires_at"),
)

# Which buckets the hold of an attempt counts in.
attempt_buckets = Table(
    "attempt_buckets",
    metadata,
    Column("attempt", String, ForeignKey("attempts.key"), primary_key=True),
    Column("bucket", String, primary_key=True),
)

# Holds that ran out and of which no record has a line yet. A decision is here once: what ran out is
# claimed anew under another one.
owed_lines = Table(
    "owed_lines",
    metadata,
    Column("decision", String, primary_key=True),
    Column("attempt", String, nullable=False),
    Column("call", String, nullable=False),
    Column("tenant", String, nullable=False),
    Column("tool", String, nullable=False),
    Column("micros", BigInteger, nullable=False),
    Column("currency", String, nullable=True),
    Column("at", BigInteger, nullable=False),
)

# What one cap has counted for one tenant in one call, day or month.
buckets = Table(
    "buckets",
    metadata,
    Column("key", String, primary_key=True),
    Column("spent", BigInteger, nullable=False),
    Column("reserved", BigInteger, nullable=False),
)

# Who asked not to be called again. `scope` is a tenant's id, or * for the whole platform. Nothing
# in this project deletes from it. Numbers stand here as they are: a list must survive its key.
opt_outs = Table(
    "opt_outs",
    metadata,
    Column("number", String, primary_key=True),
    Column("scope", String, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("call", String, nullable=False),
    Column("source", String, nullable=False),
)

# What frequency caps count.
contacts = Table(
    "contacts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("tenant", String, nullable=False),
    Column("number", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=True),
    Column("call", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("contacts_of_number", "tenant", "number"),
    Index("contacts_of_call", "call", "number"),
)

# A switch is on while `lifted_at` is null. Null in tenant, flow or tool means each of them.
kill_switches = Table(
    "kill_switches",
    metadata,
    Column("id", String, primary_key=True),
    Column("tenant", String, nullable=True),
    Column("flow", String, nullable=True),
    Column("tool", String, nullable=True),
    Column("reason", String, nullable=False),
    Column("by", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("lifted_by", String, nullable=True),
    Column("lifted_at", BigInteger, nullable=True),
)
