"""The sandbox's database: its tables, and the seed data that a fresh one starts with."""

import json
import sqlite3
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

# The same loader in C, where PyYAML was built with it: a sandbox starts with every test.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# Each row belongs to a tenant: one tenant's back end never sees another's rows.
_TABLES = """
create table accounts (
    tenant text, id text, full_name text, postcode text, mobile text,
    cards text, page text, last_outcome text, last_note text, primary key (tenant, id));
create table invoices (
    tenant text, number text, account text, cents integer, currency text, due_date text,
    primary key (tenant, number));
create table captures (
    token text primary key, tenant text, account text, cents integer, filled integer, used integer);
create table payments (
    reference text primary key, tenant text, account text, cents integer, status text);
create table messages (id integer primary key, tenant text, recipient text, text text);
create table unreachable (tenant text, recipient text, primary key (tenant, recipient));
create table services (
    tenant text, id text, days text, first_minute integer, last_minute integer, step integer,
    primary key (tenant, id));
create table offers (
    tenant text, service text, words text, starts_at text, primary key (tenant, service, words));
create table bookings (
    reference text primary key, tenant text, service text, starts_at text, account text,
    full_name text, mobile text, notes text, unique (tenant, service, starts_at));
create table passages (tenant text, title text, text text);
create table desk (tenant text, name text, person text, answers integer, says text,
    primary key (tenant, name));
create table transfers (id integer primary key, tenant text, name text, mode text, summary text,
    answered integer);
create table answered (
    tenant text, connection text, key text, fingerprint text, status integer, body text,
    primary key (tenant, connection, key));
"""


def open_store(database: Path | None, seed: Mapping[str, Mapping[str, Any]]) -> sqlite3.Connection:
    """A database with tables, filled from `seed` (tenant → its data) if it was empty.

    Without `database` it lives in memory. Threads share it, one at a time: the server holds a lock.
    """
    connection = sqlite3.connect(str(database or ":memory:"), check_same_thread=False)
    connection.row_factory = sqlite3.Row
    fresh = connection.execute("select count(*) from sqlite_master").fetchone()[0] == 0
    if fresh:
        with connection:
            connection.executescript(_TABLES)
            for tenant, data in seed.items():
                _fill(connection, tenant, data)
    return connection


def seed_documents(seed: Traversable | None = None) -> dict[str, dict[str, Any]]:
    """Tenant → its seed data, of a folder of `<tenant>.yaml`; without one, the shipped data."""
    folder = seed or files("trunkline_runtime.sandbox") / "seed"
    documents = {
        entry.name.removesuffix(".yaml"): yaml.load(entry.read_text(encoding="utf-8"), _Loader)
        for entry in folder.iterdir()
        if entry.name.endswith(".yaml")
    }
    return dict(sorted(documents.items()))


def _fill(connection: sqlite3.Connection, tenant: str, data: Mapping[str, Any]) -> None:
    for account in data.get("accounts", ()):
        connection.execute(
            "insert into accounts values (?, ?, ?, ?, ?, ?, ?, null, null)",
            (
                tenant,
                account["id"],
                account["full_name"],
                account["postcode"],
                account["mobile"],
                json.dumps(account.get("cards", ["succeeded"])),
                account.get("page", "filled at once"),
            ),
        )
    for invoice in data.get("invoices", ()):
        keys = ("number", "account", "cents", "currency", "due_date")
        connection.execute(
            "insert into invoices values (?, ?, ?, ?, ?, ?)", (tenant, *(invoice[k] for k in keys))
        )
    for service in data.get("services", ()):
        connection.execute(
            "insert into services values (?, ?, ?, ?, ?, ?)",
            (
                tenant,
                service["id"],
                json.dumps(service["days"]),
                _minute(service["from"]),
                _minute(service["to"]),
                service["every_minutes"],
            ),
        )
    for passage in data.get("passages", ()):
        connection.execute(
            "insert into passages values (?, ?, ?)", (tenant, passage["title"], passage["text"])
        )
    for person in data.get("desk", ()):
        connection.execute(
            "insert into desk values (?, ?, ?, ?, ?)",
            (tenant, person["number"], person["name"], person["answers"], person["says"]),
        )
    for recipient in data.get("unreachable", ()):
        connection.execute("insert into unreachable values (?, ?)", (tenant, recipient))


def _minute(time: str) -> int:
    """Minutes since midnight of "09:30"."""
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)
