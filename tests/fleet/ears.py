"""Ears and a line for sessions without a room: what is heard, and when somebody speaks."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from livekit import rtc
from livekit.agents import stt, vad
from livekit.agents.voice import io


class _Heard(stt.RecognizeStream):
    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.heard: asyncio.Queue[str] = asyncio.Queue()

    async def _run(self) -> None:
        async def drain() -> None:
            async for _ in self._input_ch:
                pass

        draining = asyncio.create_task(drain())
        try:
            while True:
                words = await self.heard.get()
                kinds = stt.SpeechEventType
                for kind in (kinds.START_OF_SPEECH, kinds.FINAL_TRANSCRIPT, kinds.END_OF_SPEECH):
                    said = [stt.SpeechData(language="en-US", text=words)]
                    has_words = kind is kinds.FINAL_TRANSCRIPT
                    event = stt.SpeechEvent(type=kind, alternatives=said if has_words else [])
                    self._event_ch.send_nowait(event)
        finally:
            draining.cancel()


class Ears(stt.STT[Any]):
    """Hears what a test says; counts the streams that were opened."""

    def __init__(self) -> None:
        super().__init__(capabilities=stt.STTCapabilities(streaming=True, interim_results=False))
        self.streams: list[_Heard] = []

    async def _recognize_impl(self, *args: Any, **options: Any) -> Any:
        raise NotImplementedError

    def stream(self, **options: Any) -> _Heard:
        heard = _Heard(stt=self, conn_options=options["conn_options"])
        self.streams.append(heard)
        return heard

    def hear(self, words: str) -> None:
        self.streams[-1].heard.put_nowait(words)


class Line(io.AudioInput):
    """A line on which nothing but silence is heard."""

    def __init__(self) -> None:
        super().__init__(label="line")
        self._frames = self._silence()

    async def _silence(self) -> AsyncIterator[rtc.AudioFrame]:
        while True:
            await asyncio.sleep(0.02)
            yield rtc.AudioFrame(b"\0" * 640, 16000, 1, 320)

    async def __anext__(self) -> rtc.AudioFrame:
        return await self._frames.__anext__()


class _Felt(vad.VADStream):
    def __init__(self, owner: vad.VAD) -> None:
        super().__init__(owner)
        self.felt: asyncio.Queue[vad.VADEvent] = asyncio.Queue()

    async def _main_task(self) -> None:
        async def drain() -> None:
            async for _ in self._input_ch:
                pass

        draining = asyncio.create_task(drain())
        try:
            while True:
                self._event_ch.send_nowait(await self.felt.get())
        finally:
            draining.cancel()


class Throat(vad.VAD):
    """Feels that somebody speaks, for as long as a test says."""

    def __init__(self) -> None:
        super().__init__(capabilities=vad.VADCapabilities(update_interval=0.1))
        self.streams: list[_Felt] = []

    def stream(self) -> _Felt:
        felt = _Felt(self)
        self.streams.append(felt)
        return felt

    async def speaks(self, seconds: float) -> None:
        self._feel(vad.VADEventType.START_OF_SPEECH, 0.1)
        await asyncio.sleep(seconds)
        self._feel(vad.VADEventType.END_OF_SPEECH, seconds)

    def _feel(self, kind: vad.VADEventType, seconds: float) -> None:
        speaking = kind is vad.VADEventType.START_OF_SPEECH
        event = vad.VADEvent(kind, 0, 0.0, seconds, 0.0, speaking=speaking)
        self.streams[-1].felt.put_nowait(event)
