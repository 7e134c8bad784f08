"""`trunkline-runtime call`: bad input gives one clear message, and a call always ends cleanly."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from trunkline.commands.main import run as trunkline
from trunkline_runtime.commands.main import run

ROOT = Path(__file__).parents[2]
OUTBOUND = "northwind-energy/overdue-invoice"
SCRIPT = ROOT / "flows/northwind-energy/scenarios/overdue-invoice.yaml"


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Call = Callable[..., Ran]


@pytest.fixture(scope="module")
def store() -> Iterator[Path]:
    """A store of the starter tenants, published from a copy outside any git repository."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CEILING_DIRECTORIES", folder)
        for part in ("flows", "catalog", "policy"):
            shutil.copytree(ROOT / part, Path(folder) / part)
        assert trunkline(["-C", folder, "publish", "--to", f"{folder}/store"]) == 0
        yield Path(folder) / "store"


@pytest.fixture
def call(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Call:
    """Runs `call` from the store, with state in a folder of the test and no model set up."""
    for name in list(os.environ):
        if name.startswith("TRUNKLINE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "state"))

    def command(*arguments: object, typed: str = "", stored: bool = True) -> Ran:
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        where = ["--from", str(store)] if stored else []
        code = run(["call", *map(str, arguments), *where])
        return Ran(code, *capsys.readouterr())

    return command


def complaint(ran: Ran) -> str:
    """The one message on stderr."""
    assert ran.out == ""
    lines = ran.err.strip().splitlines()
    assert "Traceback" not in ran.err
    return lines[-1]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["northwind-energy"], 2, "is no TENANT/FLOW"),
        (["/x"], 2, "is no TENANT/FLOW"),
        (["nobody/overdue-invoice"], 2, "holds no tenant 'nobody'; its tenants: atlas-research"),
        (["../x/y"], 2, "is not the name of a tenant"),
        (["northwind-energy/nothing"], 2, "has no flow 'nothing'; its flows: after-hours, overdue"),
        ([OUTBOUND, "--tag", "v9"], 2, "holds no northwind-energy:v9; its newest is v1"),
        ([OUTBOUND], 2, "needs the input account_id: "),
        ([OUTBOUND, "--input", "account"], 2, "is no NAME=VALUE"),
        ([OUTBOUND, "--input", "acount_id=A"], 2, "no input 'acount_id'; its inputs: account_id"),
        ([OUTBOUND, "--input", "account_id=A-1001"], 2, "TRUNKLINE_LLM_BASE_URL names"),
        ([OUTBOUND, "--script", "none.yaml"], 2, "none.yaml cannot be read: No such file"),
        ([OUTBOUND, "--script", SCRIPT, "--scenario", "x"], 2, "has no scenario 'x'; it has: pays"),
        ([OUTBOUND, "--scenario", "x"], 2, "--scenario names one of a --script"),
        ([OUTBOUND, "--format", "xml"], 2, "'xml' is not one of"),
    ],
)
def test_wrong_usage_is_one_message(call: Call, arguments: Any, code: int, said: str) -> None:
    ran = call(*arguments)
    assert ran.code == code
    assert said in complaint(ran)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: [", "line 2: this is not YAML"),
        ("scenarios: []\n", "scenarios: [] should be non-empty"),
        ("name: x\n", "is a required property"),
        ("- a list\n", "is not of type 'object'"),
        ('name: x\nscenarios: [{label: a, turns: [{key: "99"}]}]\n', "scenarios/0/turns/0/key"),
    ],
)
def test_a_script_that_is_none(call: Call, tmp_path: Path, text: str, said: str) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(text)
    ran = call(OUTBOUND, "--script", script)
    assert ran.code == 2
    assert said in complaint(ran)


def test_a_script_that_is_no_text(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_bytes(b"\xff\xfe\x00")
    assert "is not UTF-8 text" in complaint(call(OUTBOUND, "--script", script))


def test_a_script_that_does_not_fit_the_flow(call: Call, tmp_path: Path) -> None:
    script = tmp_path / "script.yaml"
    script.write_text(
        "name: x\n"
        "scenarios:\n"
        "  - label: short\n"
        "    inputs: {account_id: A-1001}\n"
        "    turns:\n"
        "      - model: [{say: Hello.}]\n"
        "      - caller: Yes.\n"
        "        model: [{move_to: verify}]\n"
    )
    ran = call(OUTBOUND, "--script", script)
    assert ran.code == 1
    assert "in turn 1, at verify, the model is asked 1 time(s) more" in ran.err
    assert "outcome    hung_up" in ran.out, "the call ended cleanly all the same"


def test_a_store_that_is_none_and_one_that_was_tampered_with(
    call: Call, store: Path, tmp_path: Path
) -> None:
    ran = call(OUTBOUND, "--from", tmp_path, stored=False)
    assert ran.code == 2
    assert "tenant" in complaint(ran) or "store" in complaint(ran)
    other = tmp_path / "other"
    shutil.copytree(store, other)
    for blob in (other / "northwind-energy" / "blobs" / "sha256").iterdir():
        data = blob.read_bytes()
        if b"Ask whether now is a good time" in data:
            blob.chmod(0o644)
            blob.write_bytes(data.replace(b"Ask whether", b"Don't ask if"))
    ran = call(OUTBOUND, "--from", other, "--input", "account_id=A-1001", stored=False)
    assert ran.code == 1
    assert "sha256:" in complaint(ran)


def test_nothing_was_pulled_yet(call: Call, tmp_path: Path) -> None:
    ran = call(OUTBOUND, "--into", tmp_path / "cache", stored=False)
    assert ran.code == 2
    assert "run `trunkline-runtime pull northwind-energy" in complaint(ran)


def test_a_model_that_is_not_there_takes_the_flows_way_out_and_says_so(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", "http://127.0.0.1:9/v1")
    ran = call(OUTBOUND, "--input", "account_id=A-1001")
    assert ran.code == 2
    (message,) = ran.err.strip().splitlines()
    assert (
        "Does TRUNKLINE_LLM_BASE_URL name an OpenAI-compatible server that is running?" in message
    )
    assert "→ human  (error: the model failed" in ran.out
    assert "outcome    " in ran.out


class Model(BaseHTTPRequestHandler):
    """An OpenAI-compatible server that says one thing and moves on at the word `done`."""

    asked: list[Any]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append(body)
        last = body["messages"][-1]
        chosen: dict[str, Any] = {"content": "How can I help?"}
        if last["role"] == "user" and "done" in str(last["content"]):
            function = {"name": "move_to", "arguments": '{"to": "goodbye"}'}
            call = {"index": 0, "id": "c1", "type": "function", "function": function}
            chosen = {"tool_calls": [call]}
        choice = {"index": 0, "delta": {"role": "assistant", **chosen}, "finish_reason": None}
        chunks = [
            {"choices": [choice]},
            {"choices": [{**choice, "delta": {}, "finish_reason": "stop"}]},
        ]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for chunk in chunks:
            whole = {
                "id": "x",
                "object": "chat.completion.chunk",
                "created": 0,
                "model": "m",
                **chunk,
            }
            self.wfile.write(f"data: {json.dumps(whole)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What an OpenAI-compatible server on this machine was asked."""
    Model.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
    monkeypatch.setenv("TRUNKLINE_LLM_API_KEY", "secret-key")
    yield Model.asked
    server.shutdown()
    server.server_close()


def test_a_whole_call_over_an_openai_compatible_server(call: Call, model: list[Any]) -> None:
    ran = call("atlas-research/assistant", typed="Hello\n\nI am done\n")
    assert (ran.code, ran.err) == (0, "")
    assert "  caller  Hello\n" in ran.out
    assert "   agent  How can I help?\n" in ran.out
    assert "→ goodbye  (model: they have no more questions)" in ran.out
    assert "outcome    answered" in ran.out
    first = model[0]
    assert first["model"] == "gpt-oss-120b"
    (move_to,) = [tool for tool in first["tools"] if tool["function"]["name"] == "move_to"]
    enum = move_to["function"]["parameters"]["properties"]["to"]["enum"]
    assert set(enum) >= {"text_number", "goodbye", "human"}
    assert not any(tool["function"]["name"].startswith("lk_") for tool in first["tools"])
    assert "secret-key" not in json.dumps(model)
    assert "secret-key" not in ran.out


def test_the_end_of_the_input_hangs_up(call: Call, model: list[Any]) -> None:
    ran = call("atlas-research/assistant", "--format", "json", typed="Hello\n")
    assert (ran.code, ran.err) == (0, "")
    record = json.loads(ran.out)
    assert record["outcome"] == "hung_up"
    assert record["pin"]["release"] == "v1"
    assert record["pin"]["table"].startswith("sha256:")
    assert record["turns"]["caller"] == 1
    assert "Hello" not in ran.out


def test_keys_silence_and_hanging_up_by_command(call: Call, model: list[Any]) -> None:
    ran = call(OUTBOUND, "--input", "account_id=A-1001", typed="/silence 8\n/what\n/key 9\n")
    assert ran.code == 0
    assert "Are you still there?" in ran.out
    assert "→ do_not_call  (key: 9)" in ran.out
    assert "unknown: type words" in ran.err
    assert "outcome    opt_out" in ran.out
    ran = call("atlas-research/assistant", typed="/hangup\nHello\n")
    assert "outcome    hung_up" in ran.out
    assert "caller" not in ran.out


def test_back_ends_that_are_down_are_a_failed_tool_and_the_call_goes_on(call: Call) -> None:
    ran = call(OUTBOUND, "--script", SCRIPT, "--scenario", "billing is down")
    assert "→ human  (edge: failed.get_invoice)" in ran.out
    assert "outcome    " in ran.out


def test_control_c_ends_the_call_cleanly(store: Path, tmp_path: Path, model: list[Any]) -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from trunkline_runtime.commands.main import main; main()",
            "call",
            "atlas-research/assistant",
            "--from",
            str(store),
        ],
        env={**os.environ, "TRUNKLINE_STATE_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("   agent"):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert "outcome    hung_up" in out
