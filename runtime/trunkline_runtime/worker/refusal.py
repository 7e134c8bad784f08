"""A job that cannot become a call: a line on record, and never silence for who is on the line."""

import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from livekit.agents import tts

from trunkline_runtime.call.keeping import call_log
from trunkline_runtime.call.masking import masked_text
from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.source import check_name
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.worker.job import FALLBACK
from trunkline_runtime.worker.line import Line, Party
from trunkline_runtime.worker.sip import SipLine
from trunkline_runtime.worker.station import Station
from trunkline_runtime.worker.voices import mouth_of

logger = logging.getLogger("trunkline.worker")

SORRY = "I am sorry, I can't take your call at the moment."
PLEASE_HOLD = f"{SORRY} Please stay on the line, I am connecting you."
CALL_AGAIN = f"{SORRY} Please call again later. Goodbye."
_RING_SECONDS = 30
# Who has rung is in the room before the job is there, or a moment later.
_COMES_SECONDS = 3.0
_LONGEST = 500  # characters of a reason: it may quote a name that the job made up


async def refuse(
    station: Station,
    line: Line,
    sip: SipLine,
    why: str,
    *,
    tenant: str | None,
    flow: str | None = None,
    call_id: str | None = None,
    fallback: str = FALLBACK,
    mouth: tts.TTS[Any] | None = None,
) -> dict[str, Json]:
    """Puts a refusal on record, and passes whoever is on the line to the fallback number.

    Never raises: what can't be done is said in the log and stands on the record.
    """
    logger.error("a job is refused: %s", masked_text(why, ())[:_LONGEST])
    party = line.party() or await line.await_party(_COMES_SECONDS)
    caller = "nobody"
    if party is not None:
        settings = _settings(station.cache, tenant)
        numbers = settings.numbers if settings is not None else {}
        number = numbers.get(fallback) or numbers.get(FALLBACK)
        caller = await _passed_on(line, sip, party, number or station.fallback, settings, mouth)
    record: dict[str, Json] = {
        "version": 1,
        "refused_job": masked_text(why, ())[:_LONGEST],
        "call_id": call_id or line.id,
        "tenant": tenant,
        "flow": None if flow is None else masked_text(flow, ()),
        "at": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "caller": caller,
    }
    try:
        call_log(station.state).append(record)
    except Exception as problem:
        logger.error("a refusal could not be put on record (%s)", type(problem).__name__)
    return record


async def _passed_on(
    line: Line,
    sip: SipLine,
    party: Party,
    number: str | None,
    settings: TenantSettings | None,
    mouth: tts.TTS[Any] | None,
) -> str:
    """What became of the caller: `transferred`, `told` (and hung up on), or `cut_off` unheard."""
    told = await _say(line, PLEASE_HOLD if number else CALL_AGAIN, settings, mouth)
    if number is not None:
        if await sip.pass_on(line.room, party.identity, number, _RING_SECONDS):
            return "transferred"
        told = await _say(line, CALL_AGAIN, settings, mouth) or told
    await sip.close_room(line.room)
    return "told" if told else "cut_off"


async def _say(
    line: Line, words: str, settings: TenantSettings | None, mouth: tts.TTS[Any] | None
) -> bool:
    try:
        await line.say(words, mouth or mouth_of(settings, "en-US"))
    except Exception as problem:
        logger.error("a caller could not be spoken to (%s)", type(problem).__name__)
        return False
    return True


def _settings(cache: Path, tenant: str | None) -> TenantSettings | None:
    if tenant is None:
        return None
    try:
        check_name(tenant)
        return current_release(cache, tenant).settings
    except FatalError:
        return None
