"""A voice and ears that run on this machine: eSpeak NG speaks, PocketSphinx hears a few sentences.

Both come with their data in packages of PyPI (`requirements-audio.lock`). They prove the way of the
sound, not the quality of a voice: the sentences that can be heard are given.
"""

import asyncio
import ctypes
from collections.abc import Sequence
from typing import Any

import espeakng_loader
import numpy
from livekit import rtc
from livekit.agents import APIConnectOptions, stt, tts, utils
from livekit.agents.types import DEFAULT_API_CONNECT_OPTIONS
from pocketsphinx import Decoder

HEARD_RATE = 16_000  # samples a second
_RETRIEVAL = 2  # eSpeak: give the samples to a callback
_PLAIN_UTF8 = 1
_ON_SAMPLES = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)


class Speaker:
    """eSpeak NG, of which a process has one. `rate`: samples a second, 16 bits, one channel."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(espeakng_loader.get_library_path())
        data = espeakng_loader.get_data_path().encode()
        self.rate: int = self._library.espeak_Initialize(_RETRIEVAL, 0, data, 0)
        self._pieces: list[bytes] = []
        self._callback = _ON_SAMPLES(self._take)
        self._library.espeak_SetSynthCallback(self._callback)
        self._library.espeak_SetVoiceByName(b"en-us")

    def _take(self, samples: Any, count: int, events: Any) -> int:
        if samples and count:
            self._pieces.append(ctypes.string_at(samples, count * 2))
        return 0

    def speak(self, text: str) -> bytes:
        self._pieces = []
        data = text.encode() + b"\0"
        self._library.espeak_Synth(data, len(data), 0, 0, 0, _PLAIN_UTF8, None, None)
        self._library.espeak_Synchronize()
        return b"".join(self._pieces)


def at_rate(samples: bytes, rate: int, wanted: int) -> bytes:
    """16-bit samples at another rate, by straight lines between them."""
    given = numpy.frombuffer(samples, dtype=numpy.int16)
    places = numpy.arange(0, len(given), rate / wanted)
    return numpy.interp(places, numpy.arange(len(given)), given).astype(numpy.int16).tobytes()


class Mouth(tts.TTS[Any]):
    def __init__(self, speaker: Speaker) -> None:
        capabilities = tts.TTSCapabilities(streaming=False)
        super().__init__(capabilities=capabilities, sample_rate=speaker.rate, num_channels=1)
        self.speaker = speaker
        self.said: list[str] = []

    def synthesize(
        self, text: str, *, conn_options: APIConnectOptions = DEFAULT_API_CONNECT_OPTIONS
    ) -> tts.ChunkedStream:
        return _Spoken(tts=self, input_text=text, conn_options=conn_options)


class _Spoken(tts.ChunkedStream):
    async def _run(self, output_emitter: tts.AudioEmitter) -> None:
        mouth = self._tts
        assert isinstance(mouth, Mouth)
        mouth.said.append(self._input_text)
        output_emitter.initialize(
            request_id=utils.shortuuid(),
            sample_rate=mouth.sample_rate,
            num_channels=1,
            mime_type="audio/pcm",
        )
        output_emitter.push(mouth.speaker.speak(self._input_text))
        output_emitter.flush()


class Ears(stt.STT[Any]):
    """Hears one of `sentences`, or nothing."""

    def __init__(self, sentences: Sequence[str]) -> None:
        capabilities = stt.STTCapabilities(streaming=False, interim_results=False)
        super().__init__(capabilities=capabilities)
        self._decoder = Decoder(samprate=HEARD_RATE, loglevel="FATAL", lm=None)
        known = f"#JSGF V1.0; grammar known; public <said> = {' | '.join(sentences)} ;"
        self._decoder.add_jsgf_string("known", known)
        self._decoder.activate_search("known")
        self.heard: list[str] = []

    async def _recognize_impl(
        self, buffer: utils.AudioBuffer, *, language: Any, conn_options: APIConnectOptions
    ) -> stt.SpeechEvent:
        frame = rtc.combine_audio_frames(buffer)
        words = await asyncio.to_thread(self._decode, frame)
        self.heard.append(words)
        said = stt.SpeechData(language="en-US", text=words)  # type: ignore[arg-type]
        return stt.SpeechEvent(type=stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives=[said])

    def _decode(self, frame: rtc.AudioFrame) -> str:
        samples = at_rate(bytes(frame.data), frame.sample_rate, HEARD_RATE)
        self._decoder.start_utt()
        self._decoder.process_raw(samples, full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return str(found.hypstr) if found is not None else ""
