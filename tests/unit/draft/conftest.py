"""The repository of the evaluation set, and a server on loopback that gives recorded answers."""

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from trunkline.commands.main import run

TOP = Path(__file__).parents[3]
DRAFTS = TOP / "tests/examples/drafts"
KEY = "test-key-that-must-never-be-seen"

Ran = tuple[int, str, str]


@dataclass(frozen=True)
class Answer:
    """What the server answers: a completion's content, or any status with any body."""

    content: str | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    finish: str = "stop"

    def sent(self) -> bytes:
        if self.body is not None:
            return self.body.encode()
        choice = {
            "index": 0,
            "finish_reason": self.finish,
            "message": {"role": "assistant", "content": self.content},
        }
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        completion = {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "gpt-oss-120b",
            "choices": [choice],
            "usage": usage,
        }
        return json.dumps(completion).encode()


@dataclass
class Recorded:
    """A server with answers in order; `requests` are the bodies it was sent, `keys` how signed."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    """The server, which the environment names; every answer must have been asked for."""
    recorded = Recorded()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            recorded.requests.append(json.loads(body))
            recorded.paths.append(self.path)
            recorded.keys.append(self.headers.get("authorization"))
            answer = recorded.answers.pop(0) if recorded.answers else Answer(status=418, body="{}")
            sent = answer.sent()
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(sent)))
            self.end_headers()
            self.wfile.write(sent)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Nothing: a test's output is its own."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
    recorded.url = f"http://127.0.0.1:{listening.server_port}/v1"
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", recorded.url)
    monkeypatch.setenv("TRUNKLINE_LLM_API_KEY", KEY)
    monkeypatch.delenv("TRUNKLINE_LLM_MODEL", raising=False)
    yield recorded
    listening.shutdown()
    listening.server_close()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of the repository of the evaluation set: one tenant that has connected everything."""
    return Path(shutil.copytree(TOP / "tests/evaluation/repository", tmp_path / "repository"))


@pytest.fixture
def trunkline(repository: Path, capfd: pytest.CaptureFixture[str]) -> Iterator[Callable[..., Ran]]:
    """Runs `trunkline -C repository …`; the key is in nothing that it prints or writes."""

    def runs(*arguments: str) -> Ran:
        code = run(["-C", str(repository), *arguments])
        captured = capfd.readouterr()
        assert KEY not in captured.out + captured.err
        return code, captured.out, captured.err

    yield runs
    written = [path for path in repository.rglob("*") if path.is_file()]
    assert not [path for path in written if KEY.encode() in path.read_bytes()]


@pytest.fixture
def brief() -> Path:
    """The words of an operator of meridian."""
    return DRAFTS / "reminder.txt"


@pytest.fixture
def plan() -> dict[str, Any]:
    """A good plan for them."""
    found: dict[str, Any] = json.loads((DRAFTS / "reminder.plan.json").read_bytes())
    return found


@pytest.fixture
def steps() -> dict[str, Any]:
    """Good steps for the plan."""
    found: dict[str, Any] = json.loads((DRAFTS / "reminder.steps.json").read_bytes())
    return found


@pytest.fixture
def answered(server: Recorded) -> Callable[..., None]:
    """Puts answers on the server: JSON values as completions, others as they are."""

    def put(*answers: Any) -> None:
        server.answers += [
            each if isinstance(each, Answer) else Answer(json.dumps(each)) for each in answers
        ]

    return put


@pytest.fixture
def answer() -> type[Answer]:
    """To make an answer that is no completion."""
    return Answer
