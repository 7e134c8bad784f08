"""The LiveKit session that a call runs in: what is fixed for every call, whatever the models."""

from collections.abc import Mapping
from typing import Any

from livekit.agents import AgentSession, APIConnectOptions, llm
from livekit.agents.voice.agent_session import SessionConnectOptions

from trunkline_runtime.call.late import TOOL_HANDLING
from trunkline_runtime.call.state import CallState
from trunkline_runtime.table.canonical import Json

# A turn may pass many nodes without the caller; how often a model may call tools in a row is
# limited by the ledger, and a circle of nodes by their visits.
_MAX_TOOL_STEPS = 1000
# A caller waits for this: one more try, soon, and then the flow's own way out.
_MODEL_TRIES = APIConnectOptions(max_retry=1, retry_interval=0.3, timeout=15.0)
# Text calls have neither ears nor a voice; a worker gives its own.
_TEXT: Mapping[str, Any] = {"vad": None, "turn_handling": {"turn_detection": None}}
# What is said over words that nobody may interrupt is heard all the same (see `overheard`).
_EARS: Mapping[str, Any] = {"discard_audio_if_uninterruptible": False}


def make_session(
    state: CallState, model: llm.LLM[Any], options: Mapping[str, Any] | None = None
) -> AgentSession[CallState]:
    """A session for one call. `options` are those of LiveKit: `stt`, `tts`, `vad`, …"""
    chosen: dict[str, Any] = {**_TEXT, **(options or {})}
    turns = chosen["turn_handling"]
    interruption = {**turns.get("interruption", {}), **_EARS}
    chosen["turn_handling"] = {**turns, "interruption": interruption}
    return AgentSession(
        llm=model,
        userdata=state,
        max_tool_steps=_MAX_TOOL_STEPS,
        # Silence is the flow's own business.
        user_away_timeout=None,
        tool_handling=TOOL_HANDLING,
        conn_options=SessionConnectOptions(llm_conn_options=_MODEL_TRIES),
        **chosen,
    )


def used(session: AgentSession[CallState]) -> list[dict[str, Json]]:
    """What each model of a session used: tokens, characters, seconds of audio, as LiveKit counts.

    What it counted as nothing is left out.
    """
    return [
        one.model_dump(exclude_defaults=True) | {"type": one.type}
        for one in session.usage.model_usage
    ]
