"""Today's date: what exceptions and rules that begin or end are held against."""

import os
from datetime import UTC, date, datetime

from trunkline.failure import FatalError

VARIABLE = "TRUNKLINE_TODAY"
_FIRST, _LAST = 1970, 9000


def today(given: str | None = None) -> date:
    """The date that was given, else that of TRUNKLINE_TODAY, else the date now in UTC.

    Raises FatalError for what is no date. Two runs on one day agree, wherever they are.
    """
    text = given or os.environ.get(VARIABLE)
    if not text:
        return datetime.now(UTC).date()
    where = "" if given else f"{VARIABLE}: "
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise FatalError(f'{where}{text!r} is no date; write it as "2026-11-29"') from None
    if not _FIRST <= found.year <= _LAST:  # rules are held against the days around it, too
        raise FatalError(f"{where}{text} is outside the years {_FIRST} to {_LAST}")
    return found
