"""The models that hear, think and speak in a call: named by the tenant, reached from this machine.

What thinks is `call/model_here`. What hears and speaks is either an OpenAI-compatible server of the
operator's own (`TRUNKLINE_STT_BASE_URL`, `TRUNKLINE_TTS_BASE_URL`) through LiveKit's `openai`
plugin, or, without one, LiveKit's inference service under the names that it uses
(`deepgram/nova-3`). These two are installed; no other plugin is. Speech is found by the detector
that comes with livekit-agents, on this machine.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from livekit.agents import inference, stt, tts
from livekit.plugins import openai

from trunkline_runtime.failure import FatalError
from trunkline_runtime.model_client import model_client
from trunkline_runtime.table.settings import TenantSettings


@dataclass(frozen=True)
class Voices:
    """What a session hears and speaks with."""

    ears: stt.STT[Any]
    mouth: tts.TTS[Any]

    def options(self) -> dict[str, Any]:
        """LiveKit's options of a session: turns end by the detector of speech."""
        return {
            "stt": self.ears,
            "tts": self.mouth,
            "vad": inference.VAD(),
            "turn_handling": {"turn_detection": "vad"},
        }


def voices_of(settings: TenantSettings | None, language: str) -> Voices:
    """The voices of a call in a language. Raises FatalError if nothing says which they are."""
    voice: Mapping[str, Any] = settings.voice if settings is not None else {}
    return Voices(_ears(voice.get("stt"), language), _mouth(voice.get("tts"), language))


def mouth_of(settings: TenantSettings | None, language: str) -> tts.TTS[Any]:
    """Only what speaks. Raises FatalError as `voices_of` does."""
    voice: Mapping[str, Any] = settings.voice if settings is not None else {}
    return _mouth(voice.get("tts"), language)


def _ears(named: object, language: str) -> stt.STT[Any]:
    own = _own(named)
    language = str(own.get("language") or language)
    base_url = os.environ.get("TRUNKLINE_STT_BASE_URL")
    model = _model("STT", own)
    if base_url:
        return openai.STT(
            model=model,
            language=language.split("-")[0],
            client=model_client(base_url, os.environ.get("TRUNKLINE_STT_API_KEY") or "none"),
            use_realtime=False,
        )
    _check_inference("STT", model)
    return inference.STT(model, language=language)


def _mouth(named: object, language: str) -> tts.TTS[Any]:
    own = _own(named)
    base_url = os.environ.get("TRUNKLINE_TTS_BASE_URL")
    model = _model("TTS", own)
    voice = own.get("voice") or os.environ.get("TRUNKLINE_TTS_VOICE")
    chosen: dict[str, Any] = {"voice": str(voice)} if voice else {}
    if base_url:
        return openai.TTS(
            model=model,
            client=model_client(base_url, os.environ.get("TRUNKLINE_TTS_API_KEY") or "none"),
            speed=float(own.get("speed") or 1.0),
            **chosen,
        )
    _check_inference("TTS", model)
    if own.get("speed"):
        raise FatalError("`voice.tts.speed` needs a server of TRUNKLINE_TTS_BASE_URL")
    return inference.TTS(model, language=language, **chosen)


def _own(named: object) -> Mapping[str, Any]:
    if isinstance(named, Mapping):
        return named
    return {"model": named} if named else {}


def _model(kind: str, own: Mapping[str, Any]) -> str:
    """This machine's name for the model comes before the tenant's, as it does for the language
    model: it is the machine that reaches it."""
    model = os.environ.get(f"TRUNKLINE_{kind}_MODEL") or own.get("model")
    if not model:
        raise FatalError(
            f"nothing says which model {'hears' if kind == 'STT' else 'speaks'}: set "
            f"TRUNKLINE_{kind}_MODEL, or `voice.{kind.lower()}` in the tenant's settings"
        )
    return str(model)


def _check_inference(kind: str, model: str) -> None:
    if "/" not in model:
        raise FatalError(
            f"{model!r} is no model of LiveKit's inference service (provider/model); "
            f"TRUNKLINE_{kind}_BASE_URL names an OpenAI-compatible server of your own"
        )
