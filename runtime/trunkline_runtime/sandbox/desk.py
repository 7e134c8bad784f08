"""The human's side of a transfer: who picks up behind a number's name, and what they say."""

import json
import sqlite3

from trunkline_runtime.sandbox.exchange import Answer, Refused, Request


def ring(request: Request, store: sqlite3.Connection) -> Answer:
    """`POST /<name of a number>` with `{"mode", "summary"}` → `{"answered", "name", "says"}`."""
    person = store.execute(
        "select * from desk where tenant = ? and name = ?", (request.tenant, request.path[0])
    ).fetchone()
    if person is None:
        raise Refused(404, "nobody sits at that number")
    store.execute(
        "insert into transfers (tenant, name, mode, summary, answered) values (?, ?, ?, ?, ?)",
        (
            request.tenant,
            person["name"],
            request.body.get("mode"),
            json.dumps(request.body.get("summary", {})),
            person["answers"],
        ),
    )
    if not person["answers"]:
        return Answer({"answered": False})
    return Answer({"answered": True, "name": person["person"], "says": person["says"]})
