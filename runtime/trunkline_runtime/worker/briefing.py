"""Speaks a summary to a human in a room of their own, before the caller is connected."""

import asyncio
from typing import Any

from livekit import api, rtc
from livekit.agents import Agent, AgentSession, room_io, tts

from trunkline_runtime.worker.station import Station

_IDENTITY = "briefing"
_TALK_SECONDS = 45.0


class RoomBriefing:
    """Joins the human's room with a voice, speaks, and leaves."""

    def __init__(self, station: Station, mouth: tts.TTS[Any]) -> None:
        self._station = station
        self._mouth = mouth

    async def say(self, room: str, words: str, language: str) -> None:
        """Raises whatever a room or a voice raises, and TimeoutError for a talk without end."""
        token = (
            api.AccessToken(self._station.key, self._station.secret)
            .with_identity(_IDENTITY)
            .with_kind("agent")
            .with_grants(api.VideoGrants(room_join=True, room=room, agent=True))
            .to_jwt()
        )
        joined = rtc.Room()
        session: AgentSession[None] = AgentSession(tts=self._mouth, vad=None)
        try:
            async with asyncio.timeout(_TALK_SECONDS):
                await joined.connect(self._station.url, token)
                options = room_io.RoomOptions(audio_input=False, text_input=False)
                await session.start(
                    Agent(instructions=""), room=joined, room_options=options, record=False
                )
                await session.say(words, allow_interruptions=False)
        finally:
            await session.aclose()
            await joined.disconnect()
