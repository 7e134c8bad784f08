"""`trunkline-runtime audit` and `kill`, on a record that a gate has written."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from trunkline_runtime.commands.main import run
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.request import DialRequest, OptOut
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.table.settings import TenantSettings

NOON = datetime(2026, 12, 1, 17, tzinfo=UTC)
PARTY, OTHER = "+12125550143", "+12125550144"
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Told:
    def command(*words: str) -> tuple[int, str, str]:
        code = run(list(words))
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
async def state(tmp_path: Path, monkeypatch) -> Path:
    """The state of a worker that dialled two numbers and took one off the list."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path))
    monkeypatch.delenv("TRUNKLINE_LEDGER_URL", raising=False)
    monkeypatch.delenv("TRUNKLINE_NUMBER_KEY", raising=False)
    document = {"id": "acme", "display_name": "Acme", "timezone": "America/New_York"}
    gate = PolicyGate.open(
        lambda: PolicySnapshot("sha256:none", 1, {}),
        lambda tenant: TenantSettings.from_document(document),
        tmp_path,
    )
    for call, party in (("call-1", PARTY), ("call-2", OTHER), ("call-3", PARTY)):
        request = DialRequest(call, "acme", "reminder", "sha256:table", party, "reminders", NOON)
        assert not (await gate.decide_dial(request)).allowed
    await gate.record_opt_out(OptOut("call-3", "acme", PARTY, NOON))
    return tmp_path


async def test_a_record_verifies_and_says_so(told: Told, state: Path) -> None:
    code, out, _ = told("audit", "verify")
    assert code == 0
    assert out.startswith("4 lines verify")


async def test_an_altered_record_is_refused(told: Told, state: Path) -> None:
    (path,) = (state / "decisions").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1].replace(b"deny", b"fine"), *lines[2:]]))
    code, _, err = told("audit", "verify")
    assert code == 1
    assert "line 2: its content does not match its hash" in err
    code, out, _ = told("audit", "verify", "--format", "json")
    assert code == 1
    assert json.loads(out)["fault"]["line"] == 2
    path.write_bytes(b"".join(lines[:-1]))
    code, _, err = told("audit", "verify")
    assert code == 1
    assert "lines at the end were removed" in err
    assert "3 lines before it can be trusted; nothing after it is trusted" in err


async def test_what_is_found_in_an_altered_record_is_doubted(told: Told, state: Path) -> None:
    assert "breaks" not in told("audit", "find", "--tenant", "acme")[2]
    (path,) = (state / "decisions").glob("*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], lines[1].replace(b"call-2", b"call-9"), *lines[2:]]))
    for form in ("text", "json"):
        code, out, err = told("audit", "find", "--call", "call-9", "--format", form)
        assert code == 0
        assert "call-9" in out
        assert err.startswith(
            f"the chain of this record breaks: {path.name} line 2: its content does not match its "
            "hash; 1 line before it can be trusted; nothing after it is trusted\n"
        )


def test_the_record_of_calls_is_listed_as_calls(told: Told, tmp_path: Path) -> None:
    log = DecisionLog(tmp_path / "calls")
    call = {"version": 1, "call_id": "call-7", "tenant": "acme", "opt_out": "yes", "contact": "no"}
    started = "2026-12-01T17:00:00Z"
    log.append({**call, "flow": "reminder", "started": started, "outcome": "opted_out"})
    log.append({**call, "call_id": "call-8", "flow": None, "refused_job": "no JSON object"})
    record = ("audit", "find", "--record", str(tmp_path / "calls"))
    assert told(*record)[1].splitlines() == [
        "2026-12-01T17:00:00Z  call  acme/reminder  opted_out  call call-7",
        "call  acme  refused: no JSON object  call call-8",
    ]
    assert told(*record, "--call", "call-7")[1].count("call-7") == 1
    assert "did you mean 'call-7'?" in told(*record, "--call", "call-77")[2]


async def test_looking_for_a_number_makes_no_key(
    told: Told, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a new key nothing is found of anybody, as if nothing were on record."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "sate"))
    record = str(state / "decisions")
    code, _, err = told("audit", "find", "--record", record, "--number", PARTY)
    assert code == 2
    assert "holds no key of numbers: set TRUNKLINE_NUMBER_KEY" in err
    assert not (tmp_path / "sate").exists()


async def test_damage_that_a_worker_found_is_told_with_where_the_chain_goes_on(
    told: Told, state: Path
) -> None:
    (path,) = (state / "decisions").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"deny"', b'"fine"', 1))
    told("kill", "on", "--tenant", "acme", "--reason", "a fault", "--by", "ops")
    code, _, err = told("audit", "verify")
    assert code == 1
    assert "decisions-00000001.jsonl line 1: its content does not match its hash; 0 lines" in err
    assert "a worker found it, and the chain goes on in decisions-00000002.jsonl" in err
    _, out, _ = told("audit", "verify", "--format", "json")
    answer = json.loads(out)
    assert (answer["verifies"], answer["lines"]) == (False, 2)
    assert answer["fault"] == answer["faults"][0]
    assert answer["fault"]["noted"] == "decisions-00000002.jsonl"
    _, out, _ = told("audit", "find")
    assert "damage  decisions-00000001.jsonl line 1: its content does not match" in out


async def test_a_search_that_finds_nothing_says_which_name_it_never_saw(
    told: Told, state: Path
) -> None:
    for words, says in (
        (("--call", "call-11"), "nothing on record names a call 'call-11'; did you mean 'call-1'?"),
        (("--tenant", "acne"), "names a tenant 'acne'; did you mean 'acme'?"),
        (("--tool", "take_payment"), "nothing on record names a tool 'take_payment'\n"),
    ):
        code, out, err = told("audit", "find", *words)
        assert (code, out) == (0, "")
        assert err.startswith("0 found\n")
        assert says in err
    # Both names are right, and nothing is about both.
    _, _, err = told("audit", "find", "--call", "call-1", "--answer", "allow")
    assert err == "0 found\n"
    code, out, err = told("audit", "export", "--call", "call-11")
    assert (code, out) == (2, "")
    assert "nothing is on record about a call 'call-11'" in err


async def test_a_search_shows_who_threw_which_switch_and_why(told: Told, state: Path) -> None:
    words = ("--tenant", "acme", "--tool", "take_payment", "--by", "ops", "--reason", "double\npay")
    _, id, _ = told("kill", "on", *words)
    told("kill", "off", id.strip(), "--by", "lee")
    _, out, _ = told("audit", "find", "--tool", "take_payment")
    on, off = out.splitlines()
    assert f"kill_switch  on {id.strip()}  tenant=acme tool=take_payment  by ops: double pay" in on
    assert (
        f"kill_switch  off {id.strip()}  tenant=acme tool=take_payment  by lee: double pay" in off
    )
    _, out, _ = told("audit", "find", "--call", "call-3")
    assert "opt_out  tenant, from call" in out


async def test_a_person_is_found_by_number_and_never_shown(told: Told, state: Path) -> None:
    code, out, _ = told("audit", "find", "--number", PARTY, "--format", "json")
    assert code == 0
    found = json.loads(out)["records"]
    assert [record["call"] for record in found] == ["call-1", "call-3", "call-3"]
    assert "5550143" not in out
    _, out, _ = told("audit", "find", "--number", OTHER)
    assert len(out.splitlines()) == 1
    _, out, _ = told("audit", "find", "--call", "call-3", "--answer", "deny")
    assert "unreadable: purposes" in out


async def test_everything_about_a_call_is_exported_with_the_chains_state(
    told: Told, state: Path, tmp_path: Path
) -> None:
    file = tmp_path / "call.json"
    code, _, err = told("audit", "export", "--call", "call-3", "--out", str(file))
    assert code == 0
    assert "2 records" in err
    document = json.loads(file.read_text())
    assert document["chain"]["verifies"] is True
    assert [record["kind"] for record in document["records"]] == ["dial", "opt_out"]


async def test_one_decision_is_told_with_all_that_decided_it(told: Told, state: Path) -> None:
    _, out, _ = told("audit", "find", "--call", "call-1", "--format", "json")
    (record,) = json.loads(out)["records"]
    code, out, _ = told("audit", "find", "--decision", record["id"])
    assert code == 0
    assert "against it: policy/purposes.yaml is missing" in out
    assert f"tzdata: {record['tzdata']}" in out
    assert "policy: sha256:none" in out


async def test_a_copy_goes_on_where_it_stopped_and_verifies(told: Told, state: Path) -> None:
    copy = state / "elsewhere"
    assert told("audit", "ship", "--to", str(copy))[0] == 0
    (kept,) = copy.glob("*.jsonl")
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-40])  # a copy that was torn
    assert told("audit", "ship", "--to", str(copy))[0] == 0
    assert kept.read_bytes() == whole
    assert told("audit", "ship", "--to", str(copy))[1].startswith("0 bytes")
    told("kill", "on", "--everything", "--reason", "a fault")
    assert told("audit", "ship", "--to", str(copy))[0] == 0
    assert told("audit", "verify", "--record", str(copy))[1].startswith("5 lines verify")
    (original,) = (state / "decisions").glob("*.jsonl")
    original.unlink()
    assert told("audit", "verify", "--record", str(copy))[0] == 0


async def test_a_copy_that_differs_is_told_and_left_alone(told: Told, state: Path) -> None:
    copy = state / "elsewhere"
    told("audit", "ship", "--to", str(copy))
    (kept,) = copy.glob("*.jsonl")
    altered = kept.read_bytes().replace(b"deny", b"fine")
    kept.write_bytes(altered)
    code, _, err = told("audit", "ship", "--to", str(copy))
    assert code == 1
    assert "differs" in err
    assert kept.read_bytes() == altered


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("audit", "export"), "--number or --call"),
        (("audit", "find", "--number", "call me"), "E.164"),
        (("kill", "on", "--reason", "a fault"), "--everything"),
        (("kill", "on", "--flow", "reminder", "--reason", "a fault"), "--tenant"),
        (("kill", "off", "nothing"), "kill list"),
    ],
)
async def test_bad_input_gives_one_clear_message(
    told: Told, state: Path, words: tuple[str, ...], says: str
) -> None:
    code, out, err = told(*words)
    assert (code, out) == (2, "")
    assert says in err


def test_a_machine_without_a_record(told: Told, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path))
    for words in (("verify",), ("find",), ("export", "--call", "call-1")):
        code, _, err = told("audit", *words)
        assert code == 2
        assert "there is no record of decisions" in err


async def test_a_switch_is_thrown_recorded_listed_and_lifted(told: Told, state: Path) -> None:
    code, out, _ = told("kill", "on", "--tenant", "acme", "--reason", "a fault", "--by", "ops")
    assert code == 0
    id = out.strip()
    _, out, _ = told("kill", "list")
    assert out.startswith(f"{id}  tenant=acme")
    assert told("kill", "off", id, "--by", "ops")[0] == 0
    assert told("kill", "list")[1] == ""
    assert told("kill", "off", id)[0] == 2
    _, out, _ = told("audit", "find", "--tenant", "acme", "--format", "json")
    changes = [record for record in json.loads(out)["records"] if record["kind"] == "kill_switch"]
    assert [(record["change"], record["by"]) for record in changes] == [
        ("on", "ops"),
        ("off", "ops"),
    ]
    assert told("audit", "verify")[0] == 0
