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
        ([OUTBOUND, "--channel", "canry"], 2, "no channel 'canry' in the store; it has: stable"),
        ([OUTBOUND, "--channel", "stable", "--tag", "v1"], 2, "both say which release it takes"),
        ([OUTBOUND, "--channel", "stable"], 2, "needs the input account_id: "),
        ([OUTBOUND], 2, "needs the input account_id: "),
        ([OUTBOUND, "--input", "account"], 2, "is no NAME=VALUE"),
        ([OUTBOUND], 2, "(give each with --input NAME=VALUE)"),
        (
            [OUTBOUND, "--input", "account_id=A", "--input", "account_id=B"],
            2,
            "--input account_id is given twice",
        ),
        ([OUTBOUND, "--number", "banana"], 2, "--number 'banana' is no telephone number: write it"),
        ([OUTBOUND, "--number", "2025550143"], 2, "is no telephone number"),
        ([OUTBOUND, "--number", "+1202"], 2, "is no telephone number"),
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


def test_a_model_server_that_is_not_there_is_found_before_the_greeting(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", "http://user:secret@127.0.0.1:9/v1")
    ran = call(OUTBOUND, "--input", "account_id=A-1001")
    assert ran.code == 2
    assert complaint(ran) == (
        "trunkline-runtime: no model can be asked at http://127.0.0.1:9: nothing listens there. "
        "Start the server, or point TRUNKLINE_LLM_BASE_URL at one that runs"
    )


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


class Wrong(BaseHTTPRequestHandler):
    """A server that answers everything alike: `status`, a type and a body."""

    answers: dict[str, tuple[int, str, bytes]]

    def do_GET(self) -> None:
        self._answer("GET")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._answer("POST")

    def _answer(self, method: str) -> None:
        status, kind, body = type(self).answers[method]
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


JSON, HTML = "application/json", "text/html; charset=utf-8"
LISTED = (200, JSON, b'{"object": "list", "data": []}')
PAGE = b"<html><body>Welcome</body></html>"


@pytest.fixture(scope="module")
def wrong() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Wrong)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("get", "post", "before", "said"),
    [
        ((200, HTML, PAGE), (200, HTML, PAGE), True, "is no model server: it sends text/html"),
        ((401, JSON, b"{}"), (401, JSON, b"{}"), True, "(HTTP 401): set TRUNKLINE_LLM_API_KEY"),
        ((503, JSON, b"{}"), (503, JSON, b"{}"), True, "has a problem of its own (HTTP 503)"),
        (LISTED, (200, HTML, PAGE), False, "what answers is no model, or its answer is empty"),
        (LISTED, (401, JSON, b"{}"), False, "(HTTP 401): set TRUNKLINE_LLM_API_KEY"),
        ((404, HTML, PAGE), (404, HTML, PAGE), False, "often ends in /v1, and TRUNKLINE_LLM_MODEL"),
        (LISTED, (400, JSON, b"{}"), False, "must take chat completions with tools"),
        (LISTED, (500, JSON, b"{}"), False, "has a problem of its own (HTTP 500)"),
    ],
)
def test_what_is_wrong_with_a_model_server_and_what_to_set(
    call: Call,
    wrong: str,
    monkeypatch: pytest.MonkeyPatch,
    get: Any,
    post: Any,
    before: bool,
    said: str,
) -> None:
    Wrong.answers = {"GET": get, "POST": post}
    monkeypatch.setenv("TRUNKLINE_LLM_BASE_URL", wrong)
    ran = call(OUTBOUND, "--input", "account_id=A-1001")
    assert ran.code == 2
    (message,) = ran.err.strip().splitlines()
    assert said in message
    assert (ran.out == "") == before
    if not before:
        assert "→ human  (error: the model failed" in ran.out, "the flow's own way out"


def test_json_says_why_a_call_could_not_begin_or_did_not_fit(call: Call, tmp_path: Path) -> None:
    ran = call(OUTBOUND, "--format", "json")
    assert ran.code == 2
    assert "needs the input account_id" in json.loads(ran.out)["error"]
    script = tmp_path / "script.yaml"
    script.write_text(
        "name: x\nscenarios:\n"
        "  - {label: short, inputs: {account_id: A-1001}, turns: [{model: []}, {caller: Hm.}]}\n"
    )
    ran = call(OUTBOUND, "--script", script, "--format", "json")
    assert ran.code == 1
    assert json.loads(ran.out)["outcome"] == "hung_up", "the call was held, and this is its record"
    assert "does not fit the flow" in ran.err


def test_a_kill_switch_holds_in_a_scripted_call_too(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRUNKLINE_STATE_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    arguments = [OUTBOUND, "--script", SCRIPT, "--sandbox", "--format", "json"]
    free = json.loads(call(*arguments).out)
    assert not (tmp_path / "trunkline").exists(), "and it keeps no books"
    looked_up = {tool["allowed"] for tool in free["tools"] if tool["tool"] == "lookup_crm"}
    assert looked_up == {True}
    assert run(["kill", "on", "--tool", "lookup_crm", "--reason", "leaks"]) == 0
    capsys_free = call(*arguments)
    stopped = json.loads(capsys_free.out[capsys_free.out.index("{") :])
    denied = [tool for tool in stopped["tools"] if tool["tool"] == "lookup_crm"]
    assert denied
    assert all(tool["reasons"] == ["kill_switch: stopped: leaks"] for tool in denied)


def test_a_script_can_be_played_again_and_counts_for_nobody(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With books that are kept, the first run is a contact that the second one is denied for."""
    monkeypatch.setenv("TRUNKLINE_RECORD_COPY", str(tmp_path / "copy"))
    for _ in range(2):
        ran = call(OUTBOUND, "--script", SCRIPT, "--sandbox")
        assert (ran.code, ran.err) == (0, "")
    assert not (tmp_path / "state").exists()
    assert not (tmp_path / "copy").exists(), "the copy of the real record is not written over"
    assert call(OUTBOUND, "--script", SCRIPT, "--sandbox", "--keep-books").code == 0
    assert (tmp_path / "state/ledger.sqlite3").is_file()
    assert call(OUTBOUND, "--keep-books").code == 2, "other calls keep them anyway"


def test_a_script_that_misfits_names_the_tools_that_failed_and_why(call: Call) -> None:
    ran = call(OUTBOUND, "--script", SCRIPT)
    assert ran.code == 1
    assert (
        "(lookup_crm failed: no back end is set for crm in NORTHWIND_ENERGY_CRM_URL; "
        "--sandbox starts one" in ran.err
    )
    assert run(["kill", "on", "--tool", "lookup_crm", "--reason", "leaks"]) == 0
    ran = call(OUTBOUND, "--script", SCRIPT, "--sandbox")
    assert ran.code == 1
    assert "(lookup_crm was denied: kill_switch: stopped: leaks" in ran.err


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


def test_a_missing_back_end_is_named_to_the_operator_and_not_to_the_model(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And the call is on record: a chained line in the state folder."""
    script = tmp_path / "script.yaml"
    script.write_text(
        "name: x\n"
        "scenarios:\n"
        "  - label: not now\n"
        "    inputs: {account_id: A-1001}\n"
        "    turns:\n"
        "      - model: [{say: Is now a good time?}]\n"
        "      - caller: No.\n"
        "        model: [{move_to: goodbye}]\n"
    )
    ran = call(OUTBOUND, "--script", script, "--keep-books")
    assert "update_contact failed: set NORTHWIND_ENERGY_CRM_URL to the address of" in ran.err
    assert "NORTHWIND_ENERGY_CRM_URL" not in ran.out
    (line,) = (tmp_path / "state" / "calls" / "calls-00000001.jsonl").read_text().splitlines()
    record = json.loads(line)
    assert record["tools"][-1]["outcome"] == "error"
    assert "Jane" not in line


def test_a_reader_that_has_seen_enough_ends_no_call_and_hangs_none(
    store: Path, tmp_path: Path
) -> None:
    """`… | head -1`: the pipe is closed after the first line, and the call comes to its end."""
    command = "from trunkline_runtime.commands.main import main; main()"
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", command, "call", OUTBOUND, "--from", str(store)),
            *("--script", str(SCRIPT), "--sandbox", "--keep-books"),
        ],
        env={**os.environ, "TRUNKLINE_STATE_DIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
    assert process.stderr is not None
    assert process.stderr.read() == ""
    (record,) = (tmp_path / "calls").glob("calls-*.jsonl")
    assert '"outcome":"paid"' in record.read_text()
