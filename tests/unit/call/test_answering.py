"""Who or what picked up: LiveKit's own detector, on a session that waits until it is known."""

import asyncio
from typing import Any

import pytest
from ears import Ears, Line, Throat

from trunkline_runtime.script.model import Generation
from trunkline_runtime.worker.answering import who_answered

NODES = {
    "hello": {"instructions": "Talk.", "say": "This is Acme.", "edges": [{"to": "bye"}]},
    "message": {"kind": "end", "say": "Please call us back.", "outcome": "voicemail"},
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
}
GREETING = "You have reached Jane. Please leave a message after the tone."


def verdict(label: str) -> Generation:
    call = {"tool": "save_prediction", "args": {"label": label}}
    return Generation.from_document({"calls": [call]})


@pytest.mark.parametrize(
    ("words", "seconds", "label", "answered_by", "outcome"),
    [
        ("Hello?", 0.3, "human", "human", "no_action"),
        (None, 0.3, None, "human", "no_action"),  # a short sound, and no words yet
        (GREETING, 2.6, "machine-vm", "machine", "voicemail"),
    ],
)
async def test_it_is_known_before_a_word_is_said(
    bench: Any, words: str | None, seconds: float, label: str | None, answered_by: str, outcome: str
) -> None:
    ears, throat = Ears(), Throat()
    turns = {"turn_detection": "vad", "endpointing": {"min_delay": 0.0, "max_delay": 0.1}}
    b = bench(
        NODES,
        answer={"machine": "message"},
        session_options={"stt": ears, "vad": throat, "turn_handling": turns},
    )
    b.live.session.input.audio = Line()
    await b.live.listen()
    if label is not None:
        b.model.then([verdict(label)])
    finding = asyncio.ensure_future(who_answered(b.live.session, b.model, None))
    await asyncio.sleep(0.1)
    speaking = asyncio.ensure_future(throat.speaks(seconds))
    await asyncio.sleep(0.1)
    if words is not None:
        ears.hear(words)
    await speaking
    b.state.answered_by = await finding
    assert b.state.answered_by == answered_by
    assert b.state.history == [], "nothing was said, and no turn was taken"
    await b.live.start()
    await b.live.ended.wait()
    assert b.state.outcome == outcome
    assert b.said()[0] == ("Please call us back." if outcome == "voicemail" else "This is Acme.")


async def test_a_detector_that_fails_knows_nothing(bench: Any, monkeypatch: Any) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("no model")

    monkeypatch.setattr("trunkline_runtime.worker.answering.AMD", broken)
    b = bench(NODES)
    assert await who_answered(b.live.session, b.model, None) == "unknown"
