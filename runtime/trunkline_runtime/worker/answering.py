"""Who or what picked up: LiveKit's own detection of answering machines, on the session of the call.

A short sound of which no words are known yet is a human; words are read by the model of the call.
What can't be told is `unknown`, and the flow says where that leads, as it does for a machine:
nothing is guessed here. A menu and a mailbox that is full are machines too.
"""

import asyncio
import logging
from typing import Any, Literal

from livekit.agents import AgentSession, llm
from livekit.agents.voice.amd import AMD, AMDCategory

logger = logging.getLogger("trunkline.worker")

AnsweredBy = Literal["human", "machine", "unknown"]

# The detector gives its own verdict within 20 s of speech; this is for one that never does.
_LONGEST_SECONDS = 45.0


async def who_answered(
    session: AgentSession[Any], model: llm.LLM[Any], identity: str | None
) -> AnsweredBy:
    """Listens until it is told. Never raises but CancelledError; in doubt `unknown`."""
    options: dict[str, Any] = {} if identity is None else {"participant_identity": identity}
    try:
        async with (
            asyncio.timeout(_LONGEST_SECONDS),
            AMD(
                session,
                llm=model,
                # what the session hears is what is judged
                stt=None,
                # the flow says what becomes of a machine, and nothing is said before it does
                interrupt_on_machine=False,
                ivr_detection=False,
                suppress_compatibility_warning=True,
                **options,
            ) as detector,
        ):
            found = await detector.execute()
    except Exception as problem:
        logger.warning("who answered can't be told (%s)", type(problem).__name__)
        return "unknown"
    if found.category is AMDCategory.HUMAN:
        return "human"
    return "unknown" if found.category is AMDCategory.UNCERTAIN else "machine"
