"""A telephone line without a telephone: what the caller says comes from files, what they hear is
kept."""

import asyncio
import time
import wave
from pathlib import Path

from livekit import rtc
from livekit.agents.voice import io

RATE = 16_000
_FRAME = RATE // 50  # 20 ms


class FromFiles(io.AudioInput):
    """The caller's side: silence, and between it the speech of the files that were put in."""

    def __init__(self) -> None:
        super().__init__(label="caller")
        self._waiting = bytearray()
        self._next = time.monotonic()

    def say(self, path: Path) -> None:
        """Speech from a WAV file of 16 kHz, 16 bits, one channel."""
        with wave.open(str(path)) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
            self._waiting += file.readframes(file.getnframes())

    async def __anext__(self) -> rtc.AudioFrame:
        self._next = max(self._next + 0.02, time.monotonic() - 0.5)
        await asyncio.sleep(max(0.0, self._next - time.monotonic()))
        piece = bytes(self._waiting[: _FRAME * 2])
        del self._waiting[: _FRAME * 2]
        return rtc.AudioFrame(piece.ljust(_FRAME * 2, b"\0"), RATE, 1, _FRAME)


class ToEar(io.AudioOutput):
    """What the caller hears, in real time. `heard` are all frames that were played."""

    def __init__(self) -> None:
        super().__init__(label="ear", capabilities=io.AudioOutputCapabilities(pause=False))
        self.heard: list[rtc.AudioFrame] = []
        self._owed = 0.0
        self._began: float | None = None
        self._playing: asyncio.Task[None] | None = None

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        await super().capture_frame(frame)
        if self._began is None:
            self._began = time.monotonic()
            self.on_playback_started(created_at=time.time())
        self._owed += frame.duration
        self.heard.append(frame)

    def flush(self) -> None:
        super().flush()
        if self._began is not None:
            left = self._began + self._owed - time.monotonic()
            self._playing = asyncio.ensure_future(self._play_out(left))

    def clear_buffer(self) -> None:
        if self._playing is not None and not self._playing.done():
            self._playing.cancel()
        if self._began is not None:
            self._finish(interrupted=True)

    async def _play_out(self, left: float) -> None:
        await asyncio.sleep(max(0.0, left))
        self._finish(interrupted=False)

    def _finish(self, *, interrupted: bool) -> None:
        assert self._began is not None
        played = min(self._owed, time.monotonic() - self._began)
        self._began, self._owed = None, 0.0
        self.on_playback_finished(playback_position=played, interrupted=interrupted)

    @property
    def seconds(self) -> float:
        return sum(frame.duration for frame in self.heard)
