"""A whole call over sound: speech from files → detector of speech → text → flow → speech → ear.

`make audio` installs what speaks and hears (`requirements-audio.lock`) and runs this; no LiveKit
server takes part. The model answers by what was heard, so a word that is lost on the way fails the
call.
"""

import asyncio
import wave
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest
from livekit.agents import inference, llm
from sound_line import RATE, FromFiles, ToEar
from voice_here import Ears, Mouth, Speaker, at_rate

from trunkline_runtime.call.watch import Watch
from trunkline_runtime.script.model import Generation, ScriptedModel

SENTENCES = ("yes please", "no thank you", "i want an appointment", "goodbye")
NODES: dict[str, Any] = {
    "hello": {
        "speak": ["ai"],
        "say": "How can I help you?",
        "instructions": "Find out what they want.",
        "edges": [
            {"to": "sure", "when": "they want an appointment"},
            {"to": "bye", "when": "they want nothing"},
        ],
    },
    "sure": {
        "kind": "confirm",
        "say": "Shall I book tomorrow at nine?",
        "establishes": ["agreed"],
        "on_yes": "booked",
        "on_no": "bye",
        "on_unclear": "bye",
    },
    "booked": {"kind": "end", "say": "It is booked. Goodbye.", "outcome": "paid"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}


class ByWords(ScriptedModel):
    """Moves by the caller's last words, as a model would."""

    def chat(self, *, chat_ctx: llm.ChatContext, **options: Any) -> llm.LLMStream:
        said = [item for item in chat_ctx.messages() if item.role == "user"]
        words = (said[-1].text_content or "") if said else ""
        if "appointment" in words:
            self.then([Generation("", (("move_to", {"to": "sure"}),))])
        elif "goodbye" in words or "no" in words.split():
            self.then([Generation("", (("move_to", {"to": "bye"}),))])
        else:
            self.then([Generation("I did not hear you. What would you like?")])
        return super().chat(chat_ctx=chat_ctx, **options)


@pytest.fixture
def speaker() -> Speaker:
    return Speaker()


@pytest.fixture
def speech(speaker: Speaker, tmp_path: Path) -> Callable[[str], Path]:
    """A WAV file in which somebody says something."""

    def recorded(text: str) -> Path:
        path = tmp_path / f"{text.replace(' ', '-')}.wav"
        with wave.open(str(path), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes(at_rate(speaker.speak(text), speaker.rate, RATE))
        return path

    return recorded


async def until(met: Callable[[], bool]) -> None:
    """Lets the call go on until something is true; a call in which it never is fails."""
    for _ in range(1200):
        if met():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never came")


async def floor(b: Any, node: str) -> None:
    """Waits until the call stands on a node, has said what it says there, and listens."""
    await until(lambda: b.state.node == node and not b.state.words)
    await until(lambda: b.live.session.agent_state == "listening")
    await asyncio.sleep(0.3)


async def test_a_whole_call_over_sound(
    bench: Any, speaker: Speaker, speech: Callable[[str], Path]
) -> None:
    ears, mouth = Ears(SENTENCES), Mouth(speaker)
    line, ear = FromFiles(), ToEar()
    options = {
        "stt": ears,
        "tts": mouth,
        "vad": inference.VAD(),
        "turn_handling": {"turn_detection": "vad"},
    }
    b = bench(NODES, model=ByWords(), session_options=options)
    b.live.session.input.audio = line
    b.live.session.output.audio = ear
    await b.live.start()
    watch = Watch(b.live, b.caller)
    watch.begin()
    try:
        await floor(b, "hello")
        line.say(speech("I want an appointment"))
        await floor(b, "sure")
        line.say(speech("Yes please"))
        await asyncio.wait_for(b.live.ended.wait(), 60)
    finally:
        watch.end()
        await b.caller.hangs_up()
    assert b.nodes == ["hello", "sure", "booked"]
    assert [words for words in ears.heard if words] == ["i want an appointment", "yes please"]
    assert b.said("caller") == ["i want an appointment", "yes please"]
    assert b.state.facts["agreed"].by == "sure"
    assert b.state.outcome == "paid"
    assert b.state.disclosed == {"ai"}
    spoken = " ".join(mouth.said)
    for words in ("I am an assistant.", "How can I help you?", "Shall I book", "It is booked."):
        assert words in spoken
    # what the caller heard is as long as what was said, and is no silence
    assert ear.seconds > 4.0
    loudest = max(numpy.abs(numpy.frombuffer(bytes(f.data), numpy.int16)).max() for f in ear.heard)
    assert loudest > 1000
