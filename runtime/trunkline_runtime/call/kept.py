"""Whether something that must not be lost is on the ledger, or waits for it, or is not."""

import logging
from collections.abc import Awaitable

from trunkline_runtime.call.state import Kept
from trunkline_runtime.gate.request import PutOff

logger = logging.getLogger("trunkline.call")


async def kept(putting: Awaitable[None], what: str) -> Kept:
    """Whether something that must not be lost is on the ledger. Never raises but CancelledError."""
    try:
        await putting
    except PutOff:
        logger.warning("%s is not on the ledger; it waits on this machine", what)
        return "pending"
    except Exception as problem:
        # Its name alone: the text may quote the number.
        logger.error("%s could not be put on the ledger (%s)", what, type(problem).__name__)
        return "no"
    return "yes"
