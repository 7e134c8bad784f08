"""The CRM: whether a name and postcode are an account holder's, and how the last call ended."""

import re
import sqlite3

from trunkline_runtime.sandbox.exchange import Answer, Refused, Request, text


def account_row(store: sqlite3.Connection, tenant: str, account: str) -> sqlite3.Row:
    """The account's row. Raises Refused (404)."""
    row: sqlite3.Row | None = store.execute(
        "select * from accounts where tenant = ? and id = ?", (tenant, account)
    ).fetchone()
    if row is None:
        raise Refused(404, "no such account")
    return row


def match(request: Request, store: sqlite3.Connection) -> Answer:
    """exact: name and postcode fit; partial: one of them does; none."""
    row = account_row(store, request.tenant, request.path[1])
    fits = [
        _plain(request.query.get("name", "")) == _plain(row["full_name"]),
        _plain(request.query.get("postcode", "")) == _plain(row["postcode"]),
    ]
    return Answer({"match": {2: "exact", 1: "partial", 0: "none"}[sum(fits)]})


def write_last_contact(request: Request, store: sqlite3.Connection) -> Answer:
    row = account_row(store, request.tenant, request.path[1])
    store.execute(
        "update accounts set last_outcome = ?, last_note = ? where tenant = ? and id = ?",
        (text(request, "outcome"), request.body.get("note"), request.tenant, row["id"]),
    )
    return Answer({"saved": True})


def _plain(said: str) -> str:
    """Letters and digits alone, so that "Jane  DOE" is Jane Doe and 2000 1 is 20001."""
    return re.sub(r"[^\w]", "", said.casefold())
