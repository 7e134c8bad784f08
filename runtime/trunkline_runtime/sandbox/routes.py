"""Which function of which back end answers which path."""

import sqlite3
from collections.abc import Callable

from trunkline_runtime.sandbox import billing, calendar, crm, desk, knowledge, messaging
from trunkline_runtime.sandbox.exchange import Answer, Refused, Request

Work = Callable[[Request, sqlite3.Connection], Answer]

# Connection → (method, path below /<tenant>/<connection>, function); * is any one segment.
_ROUTES: dict[str, tuple[tuple[str, str, Work], ...]] = {
    "crm": (
        ("GET", "accounts/*/match", crm.match),
        ("PUT", "accounts/*/last-contact", crm.write_last_contact),
    ),
    "billing": (
        ("GET", "accounts/*/invoices/open", billing.open_invoice),
        ("POST", "accounts/*/payments", billing.charge),
    ),
    "messaging": (
        ("POST", "messages", messaging.send),
        ("POST", "payment-links", messaging.send_payment_link),
    ),
    "calendar": (
        ("GET", "services/*/openings", calendar.openings),
        ("POST", "services/*/bookings", calendar.book),
    ),
    "knowledge": (("GET", "search", knowledge.search),),
    "desk": (("POST", "*", desk.ring),),
}

CONNECTIONS = tuple(_ROUTES)


def route(connection: str, method: str, path: tuple[str, ...]) -> Work:
    """The function that answers. Raises Refused: 404 for a path, 405 for a method."""
    known = False
    for known_method, pattern, work in _ROUTES[connection]:
        if _fits(pattern.split("/"), path):
            known = True
            if known_method == method:
                return work
    raise Refused(405, "not this way") if known else Refused(404, "there is nothing here")


def _fits(pattern: list[str], path: tuple[str, ...]) -> bool:
    return len(pattern) == len(path) and all(
        wanted in ("*", given) for wanted, given in zip(pattern, path, strict=True)
    )
