"""What fails in a call never leaves the caller in silence, nor the session dead."""

import json
from typing import Any

from livekit.agents import APIConnectionError, APIStatusError, llm

from trunkline_runtime.call.record import record_of
from trunkline_runtime.script.model import Generation, ScriptedModel

NODES = {
    "greeting": {
        "instructions": "Greet.",
        "edges": [{"to": "second", "when": "go on"}, {"to": "broken", "when": "they break it"}],
    },
    "second": {"instructions": "Second.", "edges": [{"to": "bye", "when": "done"}]},
    "broken": {
        "speak": ["no_such_disclosure"],
        "instructions": "Never.",
        "edges": [{"to": "bye", "when": "done"}],
    },
    "bye": {"kind": "end", "say": "Goodbye.", "outcome": "no_action"},
    "sorry": {"kind": "end", "say": "Something is wrong here.", "outcome": "no_action"},
}


class Failing(ScriptedModel):
    """Gives its script, and is down after that."""

    def chat(self, **options: Any) -> llm.LLMStream:
        if self.left:
            return super().chat(**options)
        given = {key: options[key] for key in ("chat_ctx", "tools", "conn_options")}
        return _Broken(self, **given)


class _Broken(llm.LLMStream):
    async def _run(self) -> None:
        raise APIConnectionError("the server is down", retryable=False)


async def test_an_exception_on_entry_goes_to_the_error_node(bench: Any) -> None:
    b = bench(NODES, script=[{"say": "Hello."}], error="sorry")
    await b.live.start()
    await b.turn("Break.", {"move_to": "broken"})
    assert b.said() == ["Hello.", "Something is wrong here."]
    assert b.nodes == ["greeting", "broken", "sorry"]
    assert b.state.path[-1].reason.cause == "error"
    assert "no_such_disclosure" in b.state.failures[0]
    assert b.live.ended.is_set()


async def test_an_exception_on_the_first_entry_goes_to_the_error_node(bench: Any) -> None:
    nodes = {"broken": NODES["broken"], "bye": NODES["bye"], "sorry": NODES["sorry"]}
    b = bench(nodes, error="sorry")
    await b.live.start()
    assert b.said() == ["Something is wrong here."]
    assert b.state.outcome == "no_action"


async def test_without_an_error_node_the_call_ends_as_failed(bench: Any) -> None:
    b = bench(NODES, script=[{"say": "Hello."}])
    await b.live.start()
    await b.turn("Break.", {"move_to": "broken"})
    assert (b.state.outcome, b.state.over) == ("failed", True)
    assert b.live.ended.is_set()


async def test_an_error_node_that_fails_too_ends_the_call(bench: Any) -> None:
    nodes = {**NODES, "worse": {**NODES["broken"]}}
    b = bench(nodes, script=[{"say": "Hello."}], error="worse")
    await b.live.start()
    await b.turn("Break.", {"move_to": "broken"})
    assert (b.state.outcome, b.state.over) == ("failed", True)
    assert len(b.state.failures) == 2


async def test_a_model_that_is_down_takes_the_error_exit(bench: Any) -> None:
    model = Failing([Generation("Hello.")])
    b = bench(NODES, model=model, error="sorry")
    await b.live.start()
    await b.turn("Go on.")
    assert b.said() == ["Hello.", "Something is wrong here."]
    assert b.state.path[-1].reason.cause == "error"
    assert "APIConnectionError" in b.state.failures[0]
    assert b.live.ended.is_set()


async def test_a_model_that_is_down_from_the_first_word(bench: Any) -> None:
    b = bench(NODES, model=Failing(), error="sorry")
    await b.live.start()
    assert b.said() == ["Something is wrong here."]
    assert b.state.outcome == "no_action"


async def test_a_mistake_of_ours_while_preparing_a_generation_takes_the_error_exit(
    bench: Any, monkeypatch: Any
) -> None:
    b = bench(NODES, script=[{"say": "Hello."}], error="sorry")
    await b.live.start()
    monkeypatch.setattr(
        "trunkline_runtime.call.maker.dialogue",
        lambda *args: (_ for _ in ()).throw(KeyError("oops")),
    )
    await b.turn("Go on.", {"say": "Never said."})
    assert b.said()[-1] == "Something is wrong here."
    assert b.live.ended.is_set()


async def test_a_mistake_of_ours_while_settling_a_batch_takes_the_error_exit(
    bench: Any, monkeypatch: Any
) -> None:
    b = bench(NODES, script=[{"say": "Hello."}], error="sorry")
    await b.live.start()
    calls = []

    def broken(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) == 1:
            raise ZeroDivisionError
        return []

    monkeypatch.setattr("trunkline_runtime.call.batch.decide", broken)
    await b.turn("Go on.", {"move_to": "second"})
    assert b.said()[-1] == "Something is wrong here."
    assert b.live.ended.is_set()


async def test_a_runner_that_breaks_is_a_failed_tool_and_the_call_goes_on(
    bench: Any, caplog: Any
) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "work"}],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": NODES["bye"],
    }
    b = bench(nodes, tools={"work": {}}, script=[{"say": "Hello."}])
    b.runner.answers["work"] = [RuntimeError("password=hunter2")]
    await b.live.start()
    await b.turn("Work.", {"calls": [{"tool": "work"}]}, {"say": "That did not work."})
    (output,) = b.outputs("work")
    assert output.is_error
    assert output.output == (
        "work failed. It may have gone through all the same, so do not try it again."
    )
    assert "hunter2" not in caplog.text
    assert b.state.visit.failed == {"work": "error"}
    assert b.said()[-1] == "That did not work."


async def test_a_result_that_the_catalogue_does_not_allow_is_a_failure(bench: Any) -> None:
    nodes = {
        "only": {
            "instructions": "Work.",
            "tools": [{"id": "work", "sets": {}}],
            "edges": [{"to": "bye", "when": "done"}],
        },
        "bye": NODES["bye"],
    }
    says = {
        "result": {
            "type": "object",
            "required": ["match"],
            "properties": {"match": {"type": "string"}},
        },
        "establishes": {"known": 'result.match == "exact"'},
    }
    b = bench(nodes, tools={"work": {**says, "idempotent": True}}, script=[{"say": "Hello."}])
    b.runner.answers["work"] = [{"match": 1}]
    await b.live.start()
    await b.turn("Work.", {"calls": [{"tool": "work"}]}, {"say": "Hm."})
    assert b.outputs("work")[0].output == "work gave an answer that makes no sense."
    assert b.state.facts == {}


async def test_the_words_of_a_model_server_are_not_put_on_record(bench: Any) -> None:
    class Quoting(Failing):
        def chat(self, **options: Any) -> llm.LLMStream:
            given = {key: options[key] for key in ("chat_ctx", "tools", "conn_options")}
            return _Quotes(self, **given)

    class _Quotes(llm.LLMStream):
        async def _run(self) -> None:
            body = {"error": "cannot complete: 'I am Jane Doe'"}
            raise APIStatusError("Jane Doe", status_code=422, body=body, retryable=False)

    b = bench(NODES, model=Quoting(), error="sorry")
    await b.live.start()
    assert b.state.failures == ["the model failed: APIStatusError, status_code=422"]
    assert "Jane" not in json.dumps(record_of(b.call))
