"""The knowledge base: the passages that share most words with a question."""

import re
import sqlite3

from trunkline_runtime.sandbox.exchange import Answer, Refused, Request

_FOUND = 3
# Words that every question holds say nothing about what it asks.
_EMPTY = """
a an and are at be by can do does for from have how i in is it me much my of on or our that the
their there to was we what when where which who why will with you your
"""
_EMPTY_WORDS = frozenset(_EMPTY.split())


def search(request: Request, store: sqlite3.Connection) -> Answer:
    """Up to three passages, best first; none if no word that matters occurs in any."""
    asked = _words(request.query.get("q", ""))
    if not asked:
        raise Refused(422, "q is missing")
    rows = store.execute(
        "select title, text from passages where tenant = ? order by rowid", (request.tenant,)
    )
    scored = [
        (2 * len(asked & _words(row["title"])) + len(asked & _words(row["text"])), row)
        for row in rows
    ]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:_FOUND]
    return Answer({"passages": [{"title": r["title"], "text": r["text"]} for _, r in best]})


def _words(said: str) -> frozenset[str]:
    """Stems, roughly: cut to four letters, so that parking finds park."""
    found = re.findall(r"[a-z0-9]+", said.casefold())
    return frozenset(word[:4] for word in found if word not in _EMPTY_WORDS)
