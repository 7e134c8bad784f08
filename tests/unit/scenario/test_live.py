"""`trunkline test --live` against an OpenAI-compatible server on this machine."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

Trunkline = Callable[..., tuple[int, str, str]]
CALLER, JUDGE = "You play a person in a telephone call", "You judge a telephone call"
INSTRUCTIONS = "Ask how long a battery lasts, say thank you, and end the call."


class Models(BaseHTTPRequestHandler):
    """Agent, caller and judge: each is told from the others by what it is asked."""

    asked: list[Any]
    verdicts: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append(body)
        system = str(body["messages"][0]["content"])
        if system.startswith(CALLER):
            said = sum(message["role"] == "assistant" for message in body["messages"])
            self._whole(["How long does a battery last?", "Thank you, that is all."][said])
        elif system.startswith(JUDGE):
            self._whole(type(self).verdicts.pop(0))
        else:
            self._streamed("that is all" in str(body["messages"][-1]["content"]))

    def _whole(self, content: str) -> None:
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": content},
        }
        answer = {
            **{"id": "x", "object": "chat.completion", "created": 0, "model": "m"},
            "choices": [choice],
            "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
        }
        self._send("application/json", json.dumps(answer).encode())

    def _streamed(self, leaves: bool) -> None:
        delta: dict[str, Any] = {"content": "About fifteen years."}
        if leaves:
            function = {"name": "move_to", "arguments": '{"to": "goodbye"}'}
            call = {"index": 0, "id": "c1", "type": "function", "function": function}
            delta = {"tool_calls": [call]}
        choice = {"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": None}
        used = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
        chunks: list[dict[str, Any]] = [
            {"choices": [choice]},
            {"choices": [{**choice, "delta": {}, "finish_reason": "stop"}]},
            {"choices": [], "usage": used},
        ]
        head = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        lines = [f"data: {json.dumps({**head, **chunk})}\n\n" for chunk in chunks]
        self._send("text/event-stream", "".join([*lines, "data: [DONE]\n\n"]).encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch, repository: Path) -> Iterator[type[Models]]:
    """The server, for the one scenario that has an instruction and an expectation."""
    (repository / "flows/atlas-research/scenarios/assistant.yaml").write_text(
        f"scenarios:\n  - label: a question\n    instructions: {INSTRUCTIONS}\n"
        "    agent_expectations: The agent answers in two sentences at most.\n"
        '    at: "2026-12-01T18:00:00Z"\n    number: "+14155550149"\n'
        "    expect: {never_said: [invoice]}\n",
        encoding="utf-8",
    )
    Models.asked, Models.verdicts = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Models)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("TRUNKLINE_LLM_API_KEY", "secret-key")
    yield Models
    server.shutdown()
    server.server_close()


def verdict(passed: bool) -> str:
    return json.dumps({"passed": passed, "reason": "it said 'About fifteen years.'"})


def test_agent_caller_and_judge(trunkline: Trunkline, models: type[Models]) -> None:
    models.verdicts = [verdict(True)]
    code, out, err = trunkline("test", "--live", "--price", "1/2")
    assert (code, err) == (0, "")
    # Two turns of the agent, two of the caller, one verdict.
    assert "steady   1/1  atlas-research/assistant: a question" in out
    assert "2300 + 70 tokens, $0.0024" in out
    assert "1 steady, 0 flaky, 0 broken in" in out
    systems = [str(body["messages"][0]["content"]) for body in models.asked]
    caller = [text for text in systems if text.startswith(CALLER)]
    assert len(caller) == 2
    assert all(INSTRUCTIONS in text for text in caller)
    judged = next(body for body in models.asked if JUDGE in str(body["messages"][0]["content"]))
    assert "The agent answers in two sentences at most." in judged["messages"][0]["content"]
    transcript = judged["messages"][1]["content"]
    assert "Caller: How long does a battery last?\nAgent: About fifteen years." in transcript
    assert transcript.endswith("Thank you for calling Atlas Research. Goodbye.")


def test_flaky_is_told_from_broken(trunkline: Trunkline, models: type[Models]) -> None:
    models.verdicts = [verdict(True), verdict(False), verdict(True)]
    code, out, _ = trunkline("test", "--live", "--repeat", "3", "--format", "json")
    assert code == 1
    document = json.loads(out)
    assert document["summary"] == {"steady": 0, "flaky": 1, "broken": 0}
    (found,) = document["scenarios"]
    assert [run["passed"] for run in found["runs"]] == [True, False, True]
    assert [run["outcome"] for run in found["runs"]] == ["answered"] * 3
    (fault,) = found["runs"][1]["faults"]
    assert (fault["what"], fault["actual"]) == (
        "agent_expectations",
        "it said 'About fifteen years.'",
    )
    models.verdicts = [verdict(False)]
    code, out, _ = trunkline("test", "--live")
    assert code == 1
    assert "broken   0/1  atlas-research/assistant: a question" in out
    assert "  caller  How long does a battery last?" in out


def test_a_judge_that_gives_no_verdict(trunkline: Trunkline, models: type[Models]) -> None:
    models.verdicts = ["I liked it."]
    code, out, _ = trunkline("test", "--live")
    assert code == 1
    assert "the judge gave no verdict: I liked it." in out
