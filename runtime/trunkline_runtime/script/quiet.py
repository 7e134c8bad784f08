"""Calls at a terminal without the log lines of what they are made of."""

import contextlib
import logging
import os
from collections.abc import Iterator

_TALKATIVE = ("livekit", "trunkline", "openai", "httpx", "asyncio")


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What goes wrong in a call is in its record, or a fault of its scenario; logs are for
    debugging (TRUNKLINE_DEBUG).
    """
    if os.environ.get("TRUNKLINE_DEBUG"):
        yield
        return
    loggers = [logging.getLogger(name) for name in _TALKATIVE]
    before = [each.level for each in loggers]
    try:
        for each in loggers:
            each.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)
