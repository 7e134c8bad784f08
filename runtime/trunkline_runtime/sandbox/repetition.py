"""Idempotency keys: a repeated request gets the first one's answer and does nothing again."""

import hashlib
import json
import sqlite3
from collections.abc import Callable

from trunkline_runtime.sandbox.exchange import Answer, Refused, Request


def once(
    request: Request,
    key: str | None,
    store: sqlite3.Connection,
    work: Callable[[Request, sqlite3.Connection], Answer],
) -> Answer:
    """Does the work unless this key was answered before. Raises Refused (422) if the key was used
    for something else, as a back end must: the caller's keys are then no keys.
    """
    if key is None or request.method == "GET":
        return work(request, store)
    place = (request.tenant, request.connection, key)
    before = store.execute(
        "select * from answered where tenant = ? and connection = ? and key = ?", place
    ).fetchone()
    fingerprint = _fingerprint(request)
    if before is None:
        answer = work(request, store)
        store.execute(
            "insert into answered values (?, ?, ?, ?, ?, ?)",
            (*place, fingerprint, answer.status, json.dumps(answer.body)),
        )
        return answer
    if before["fingerprint"] != fingerprint:
        raise Refused(422, "this idempotency key was used for another request")
    return Answer(json.loads(before["body"]), before["status"])


def _fingerprint(request: Request) -> str:
    what = [request.method, *request.path, json.dumps(request.body, sort_keys=True)]
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()
