"""Which failures of a server are worth another attempt, and how long to wait before it."""

import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

MOST_ATTEMPTS = 4
LONGEST_WAIT = 60.0  # seconds before one attempt; who asks for more is told to the operator


@dataclass
class Attempts:
    """How many attempts have failed."""

    made: int = 0


def wait_of(problem: Exception, attempts: Attempts) -> float | None:
    """Seconds until the next attempt; None if there shall be none. Counts the one that failed."""
    import openai

    attempts.made += 1
    passing = isinstance(
        problem, openai.APIConnectionError | openai.RateLimitError | openai.InternalServerError
    )
    if not passing or attempts.made >= MOST_ATTEMPTS:
        return None
    asked = _retry_after(problem)
    if asked is None:
        return 2.0 ** (attempts.made - 1)
    return asked if asked <= LONGEST_WAIT else None


def _retry_after(problem: Exception) -> float | None:
    """What the header Retry-After asks for: seconds, or a date (RFC 9110, 10.2.3)."""
    response = getattr(problem, "response", None)
    written = response.headers.get("retry-after") if response is not None else None
    if not written:
        return None
    try:
        return max(0.0, float(written))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(written).timestamp() - time.time())
    except ValueError:
        return None
