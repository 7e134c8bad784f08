"""Billing: open invoices, and charges against what was entered on the secure page."""

import json
import sqlite3

from trunkline_runtime.sandbox.crm import account_row
from trunkline_runtime.sandbox.exchange import Answer, Refused, Request, text


def open_invoice(request: Request, store: sqlite3.Connection) -> Answer:
    """The newest invoice of the account that has something open; an amount of 0 if none has."""
    account_row(store, request.tenant, request.path[1])
    row = store.execute(
        "select * from invoices where tenant = ? and account = ? and cents > 0"
        " order by due_date desc limit 1",
        (request.tenant, request.path[1]),
    ).fetchone()
    if row is None:
        return Answer({"amount_due": 0, "currency": "USD"})
    return Answer(
        {
            "amount_due": row["cents"] / 100,
            "currency": row["currency"],
            "invoice_number": row["number"],
            "due_date": row["due_date"],
        }
    )


def charge(request: Request, store: sqlite3.Connection) -> Answer:
    """Charges a capture once; the account's seed says which card succeeds."""
    account = account_row(store, request.tenant, request.path[1])
    cents = cents_of(request.body.get("amount"))
    token = text(request, "capture_token")
    capture = store.execute(
        "select * from captures where token = ? and tenant = ? and account = ?",
        (token, request.tenant, account["id"]),
    ).fetchone()
    if capture is None:
        raise Refused(404, "no such capture")
    if capture["cents"] != cents:
        raise Refused(422, "the amount differs from the one on the secure page")
    if capture["used"]:
        raise Refused(409, "this capture was charged before")
    if not capture["filled"]:
        return Answer({"status": "waiting"})
    store.execute("update captures set used = 1 where token = ?", (token,))
    return _settle(store, account, cents)


def _settle(store: sqlite3.Connection, account: sqlite3.Row, cents: int) -> Answer:
    cards = json.loads(account["cards"])
    tried = store.execute(
        "select count(*) from payments where tenant = ? and account = ?",
        (account["tenant"], account["id"]),
    ).fetchone()[0]
    status = cards[min(tried, len(cards) - 1)]
    number = store.execute("select count(*) from payments").fetchone()[0] + 1
    reference = f"P-{number:04d}"
    store.execute(
        "insert into payments values (?, ?, ?, ?, ?)",
        (reference, account["tenant"], account["id"], cents, status),
    )
    if status != "succeeded":
        return Answer({"status": status})
    store.execute(
        "update invoices set cents = max(0, cents - ?) where number = ("
        " select number from invoices where tenant = ? and account = ? and cents > 0"
        " order by due_date desc limit 1)",
        (cents, account["tenant"], account["id"]),
    )
    return Answer({"status": status, "reference": reference})


def cents_of(amount: object) -> int:
    """An amount of the body in cents. Raises Refused (422)."""
    if isinstance(amount, bool) or not isinstance(amount, int | float) or amount <= 0:
        raise Refused(422, "amount is missing")
    return round(amount * 100)
