"""Messaging: text messages, and links to the payment provider's secure page."""

import sqlite3

from trunkline_runtime.sandbox.billing import cents_of
from trunkline_runtime.sandbox.crm import account_row
from trunkline_runtime.sandbox.exchange import Answer, Request, text


def send(request: Request, store: sqlite3.Connection) -> Answer:
    sent = _deliver(store, request.tenant, text(request, "to"), text(request, "text"))
    return Answer({"sent": sent})


def send_payment_link(request: Request, store: sqlite3.Connection) -> Answer:
    """Opens a capture and texts its link to the mobile number on the account.

    The sandbox is the caller's phone too: unless the account's seed says otherwise, the page is
    filled in as soon as its link arrives.
    """
    account = account_row(store, request.tenant, text(request, "account_id"))
    number = store.execute("select count(*) from captures").fetchone()[0] + 1
    # A provider's token cannot be guessed; this one can, so that a scenario may expect it.
    token = f"cap_{number:08d}"
    filled = account["page"] == "filled at once"
    store.execute(
        "insert into captures values (?, ?, ?, ?, ?, 0)",
        (token, request.tenant, account["id"], cents_of(request.body.get("amount")), filled),
    )
    link = f"https://pay.example/{token}"
    sent = _deliver(store, request.tenant, account["mobile"], f"Your secure page: {link}")
    return Answer({"sent": sent, "capture_token": token})


def _deliver(store: sqlite3.Connection, tenant: str, recipient: str, words: str) -> bool:
    reachable = not store.execute(
        "select 1 from unreachable where tenant = ? and recipient = ?", (tenant, recipient)
    ).fetchone()
    if reachable:
        store.execute(
            "insert into messages (tenant, recipient, text) values (?, ?, ?)",
            (tenant, recipient, words),
        )
    return reachable
