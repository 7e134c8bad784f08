"""The calendar: free times of a service on a day, in words, and bookings by those words.

It knows no present day. Which times are taken beforehand follows from the service and the time
alone, so that a call whose clock comes from a scenario finds the same openings on any day.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta

from trunkline_runtime.sandbox.exchange import Answer, Refused, Request, text

_OFFERED = 6
_LOOK_AHEAD_DAYS = 14
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def openings(request: Request, store: sqlite3.Connection) -> Answer:
    """Up to six free times spread over the day, and the next day that has some if it has none."""
    service = _service(store, request.tenant, request.path[1])
    day = _day(request.query.get("day", ""))
    free = list(_free(store, service, day))
    part = request.query.get("part_of_day")
    if part:
        free = [start for start in free if (start.hour < 12) == (part == "morning")]
    if not free:
        following = (day + timedelta(days=n) for n in range(1, _LOOK_AHEAD_DAYS + 1))
        with_some = next((d for d in following if any(_free(store, service, d))), None)
        return Answer(
            {"openings": [], **({"next_day": with_some.isoformat()} if with_some else {})}
        )
    offered = _spread(free)
    for start in offered:
        store.execute(
            "insert or replace into offers values (?, ?, ?, ?)",
            (request.tenant, service["id"], in_words(start), start.isoformat()),
        )
    return Answer({"openings": [in_words(start) for start in offered]})


def book(request: Request, store: sqlite3.Connection) -> Answer:
    """Books one of the times offered; `taken` if somebody was faster."""
    service = _service(store, request.tenant, request.path[1])
    offer = store.execute(
        "select starts_at from offers where tenant = ? and service = ? and words = ?",
        (request.tenant, service["id"], text(request, "opening")),
    ).fetchone()
    if offer is None:
        raise Refused(422, "that time was never offered")
    if not _is_free(store, service, datetime.fromisoformat(offer["starts_at"])):
        return Answer({"status": "taken"})
    number = store.execute("select count(*) from bookings").fetchone()[0] + 1
    reference = f"B-{number:04d}"
    about = (request.body.get(key) for key in ("account_id", "full_name", "mobile", "notes"))
    store.execute(
        "insert into bookings values (?, ?, ?, ?, ?, ?, ?, ?)",
        (reference, request.tenant, service["id"], offer["starts_at"], *about),
    )
    return Answer({"status": "booked", "reference": reference})


def in_words(start: datetime) -> str:
    """ "Thursday, December 3 at 9:30 AM": to be said as it stands."""
    hour = start.hour % 12 or 12
    half = "AM" if start.hour < 12 else "PM"
    day = f"{_WEEKDAYS[start.weekday()]}, {_MONTHS[start.month - 1]} {start.day}"
    return f"{day} at {hour}:{start.minute:02d} {half}"


def _service(store: sqlite3.Connection, tenant: str, service: str) -> sqlite3.Row:
    row: sqlite3.Row | None = store.execute(
        "select * from services where tenant = ? and id = ?", (tenant, service)
    ).fetchone()
    if row is None:
        raise Refused(404, "no such service")
    return row


def _day(said: str) -> date:
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise Refused(422, "day is not a day") from None


def _free(store: sqlite3.Connection, service: sqlite3.Row, day: date) -> Iterator[datetime]:
    if _WEEKDAYS[day.weekday()][:3].lower() not in json.loads(service["days"]):
        return
    for minute in range(service["first_minute"], service["last_minute"], service["step"]):
        start = datetime.combine(day, time(minute // 60, minute % 60))
        if not _taken_beforehand(service["id"], start) and _is_free(store, service, start):
            yield start


def _is_free(store: sqlite3.Connection, service: sqlite3.Row, start: datetime) -> bool:
    return not store.execute(
        "select 1 from bookings where tenant = ? and service = ? and starts_at = ?",
        (service["tenant"], service["id"], start.isoformat()),
    ).fetchone()


def _taken_beforehand(service: str, start: datetime) -> bool:
    """A third of all times, always the same ones."""
    seed = f"{service} {start.isoformat()}".encode()
    return hashlib.sha256(seed).digest()[0] % 3 == 0


def _spread(free: list[datetime]) -> list[datetime]:
    if len(free) <= _OFFERED:
        return free
    return [free[index * (len(free) - 1) // (_OFFERED - 1)] for index in range(_OFFERED)]
