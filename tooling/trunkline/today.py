"""Today's date: what exceptions and rules that begin or end are held against."""

import os
from datetime import UTC, date, datetime

from trunkline.failure import FatalError

VARIABLE = "TRUNKLINE_TODAY"


def today(given: str | None = None) -> date:
    """The date that was given, else that of TRUNKLINE_TODAY, else the date now in UTC.

    Raises FatalError for what is no date. Two runs on one day agree, wherever they are.
    """
    text = given or os.environ.get(VARIABLE)
    if not text:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        where = "" if given else f"{VARIABLE}: "
        raise FatalError(f'{where}{text!r} is no date; write it as "2026-11-29"') from None
