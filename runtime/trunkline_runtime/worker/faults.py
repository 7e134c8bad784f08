"""A fault of ours in the log: where it happened, and none of its words.

The text of an exception may quote what a caller said, an argument or a number; its name and the
lines that it came through do not.
"""

import logging
import traceback


def log_fault(logger: logging.Logger, what: str, problem: Exception) -> None:
    """Says what could not be done, and where."""
    trail = "".join(traceback.format_tb(problem.__traceback__))
    logger.error("%s (%s)\n%s", what, type(problem).__name__, trail)
