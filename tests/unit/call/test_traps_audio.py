"""What a swap does to the ears of a call: one STT stream for all, and no turn is lost."""

import asyncio
from typing import Any

import pytest
from ears import Ears, Line
from livekit.agents.voice import io

from trunkline_runtime.script.model import Generation

BYE = {"kind": "end", "say": "Goodbye.", "outcome": "no_action"}
NODES = {
    "here": {
        "instructions": "Here.",
        "tools": [{"id": "look_up"}],
        "edges": [{"to": "there", "when": "go"}, {"to": "bye", "when": "done"}],
    },
    "there": {
        "instructions": "There.",
        "edges": [{"to": "here", "when": "back"}, {"to": "bye", "when": "done"}],
    },
    "bye": BYE,
}

CHECK = {
    "check": {
        "kind": "confirm",
        "say": "Is that right?",
        "establishes": ["agreed"],
        "on_yes": "bye",
        "on_no": "bye",
        "on_unclear": "bye",
    },
    "bye": BYE,
}


def listening(bench: Any, **options: Any) -> tuple[Any, Ears]:
    ears = Ears()
    turns = {"turn_detection": "stt", "endpointing": {"min_delay": 0.0, "max_delay": 0.1}}
    b = bench(
        NODES,
        tools={"look_up": {}},
        script=[{"say": "Hello."}],
        session_options={"stt": ears, "vad": None, "turn_handling": turns},
        limits={"max_visits": 1000},
        **options,
    )
    b.live.session.input.audio = Line()
    return b, ears


async def until(met: Any) -> None:
    for _ in range(500):
        if met():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


async def test_two_hundred_swaps_keep_one_stt_stream(bench: Any) -> None:
    b, ears = listening(bench)
    await b.live.start()
    for number in range(200):
        await b.turn("Go.", {"move_to": ("there", "here")[number % 2]}, {"say": "Ok."})
    assert len(b.nodes) == 201
    await until(lambda: ears.streams)
    assert len(ears.streams) == 1
    await b.caller.hangs_up()


async def test_a_spoken_turn_within_the_swap_is_heard_stored_and_answered(bench: Any) -> None:
    b, ears = listening(bench)
    released = b.hold("look_up", {})
    await b.live.start()
    await until(lambda: ears.streams)
    look_and_go = Generation("", (("look_up", {}), ("move_to", {"to": "there"})))
    b.model.then([look_and_go, Generation("There you are.")])
    ears.hear("Look, and go.")
    await until(lambda: b.runner.ran)
    # an ordinary swap waits for the tool, and drops what ends meanwhile
    ears.hear("And one more thing!")
    await asyncio.sleep(0.3)
    released.set()
    await until(lambda: "There you are." in b.said())
    assert b.said("caller") == ["Look, and go.", "And one more thing!"]
    assert b.state.node == "there"
    seen = [item.text_content for item in b.model.seen[-1].dialogue.items if item.type == "message"]
    assert seen[-1] == "And one more thing!"
    assert b.model.seen[-1].tools == ("move_to",)
    await b.caller.hangs_up()


async def test_a_yes_that_is_spoken_on_a_confirm_node(bench: Any) -> None:
    ears = Ears()
    turns = {"turn_detection": "stt", "endpointing": {"min_delay": 0.0, "max_delay": 0.1}}
    options = {"stt": ears, "vad": None, "turn_handling": turns}
    b = bench(CHECK, session_options=options)
    b.live.session.input.audio = Line()
    await b.live.start()
    await until(lambda: ears.streams)
    ears.hear("Yes, please.")
    await asyncio.wait_for(b.live.ended.wait(), 5)
    assert b.state.facts["agreed"].by == "check"
    assert b.said() == ["Is that right?", "Goodbye."]
    assert b.model.seen == []


class Slow(io.TextOutput):
    """A voice that takes its time: words are out when the test says so."""

    def __init__(self) -> None:
        super().__init__(label="voice", next_in_chain=None)
        self.saying: list[str] = []
        self.go_on = asyncio.Event()

    async def capture_text(self, text: str) -> None:
        self.saying.append(text)
        await self.go_on.wait()

    def flush(self) -> None:
        pass


async def said_over_the_first_words(
    bench: Any, nodes: Any, words: str, **more: Any
) -> tuple[Any, Ears, Slow]:
    """A call whose caller says `words` over its first ones; returned once those are out."""
    ears, voice = Ears(), Slow()
    turns = {"turn_detection": "stt", "endpointing": {"min_delay": 0.0, "max_delay": 0.1}}
    options = {"stt": ears, "vad": None, "turn_handling": turns}
    b = bench(nodes, session_options=options, **more)
    b.live.session.input.audio = Line()
    b.live.session.output.transcription = voice
    starting = asyncio.create_task(b.live.start())
    await until(lambda: voice.saying and ears.streams)
    assert len(voice.saying) == 1
    ears.hear(words)
    await asyncio.sleep(0.3)
    assert b.said() == [], "nobody has interrupted it"
    voice.go_on.set()
    await starting
    return b, ears, voice


async def test_what_is_said_over_a_disclosure_is_heard_and_answered_after_it(bench: Any) -> None:
    nodes = {
        "here": {
            "speak": ["ai"],
            "instructions": "Here.",
            "edges": [{"to": "bye", "when": "they want no calls"}],
        },
        "bye": BYE,
    }
    script = [{"say": "How are you?"}, {"move_to": "bye"}]
    b, _, voice = await said_over_the_first_words(bench, nodes, "Stop calling me.", script=script)
    assert voice.saying[0] == "I am an assistant."
    await asyncio.wait_for(b.live.ended.wait(), 5)
    assert b.said("caller") == ["Stop calling me."]
    assert b.said()[0] == "I am an assistant."
    assert b.said()[-1] == "Goodbye."


async def test_owed_words_that_are_cut_off_by_force_are_said_once_more(bench: Any) -> None:
    voice = Slow()
    b = bench(CHECK)
    b.live.session.output.transcription = voice
    starting = asyncio.create_task(b.live.start())
    await until(lambda: voice.saying)
    await b.live.session.interrupt(force=True)
    voice.go_on.set()
    await until(lambda: b.state.visit.questions)
    await starting
    assert voice.saying == ["Is that right?"] * 2
    assert b.state.visit.questions == 1
    assert not b.live.state.over


@pytest.mark.parametrize(("then", "agreed"), [("Yes.", True), ("Um.", False)])
async def test_a_yes_over_the_question_agrees_to_nothing(
    bench: Any, then: str, agreed: bool
) -> None:
    """Nobody knows how much of it was heard: it is put again, and the next answer counts."""
    b, ears, _ = await said_over_the_first_words(bench, CHECK, "Yes.")
    await until(lambda: b.state.visit.questions == 2)
    assert b.state.facts == {}
    assert b.said("caller") == ["Yes."]
    await until(lambda: b.live.session.current_speech is None)
    ears.hear(then)
    await asyncio.wait_for(b.live.ended.wait(), 5)
    assert ("agreed" in b.state.facts) is agreed


async def test_a_no_over_the_question_is_a_no(bench: Any) -> None:
    b, _, _ = await said_over_the_first_words(bench, CHECK, "No.")
    await asyncio.wait_for(b.live.ended.wait(), 5)
    assert b.state.path[-1].reason.words == "no"
