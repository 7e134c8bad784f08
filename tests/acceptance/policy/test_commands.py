"""`trunkline policy`: what people and programs see, and what bad input gives."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from trunkline.commands.main import run
from trunkline_runtime.gate.decision import Decision
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.request import DialRequest
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.table.settings import TenantSettings

TOP = Path(__file__).parents[3]
Told = Callable[..., tuple[int, str, str]]


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch) -> Told:
    """The exit code of a command with what it printed; lists are looked for where none are."""
    monkeypatch.setenv("TRUNKLINE_DNC_DIR", str(tmp_path / "lists"))

    def command(*words: str, at: Path = TOP) -> tuple[int, str, str]:
        code = run(["-C", str(at), "policy", *words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return command


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A copy of this repository's flows, catalogue and policy."""
    for folder in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / folder, tmp_path / "repository" / folder)
    return tmp_path / "repository"


WHY = ("why", "--tenant", "northwind-energy", "--number", "+13055550143")
LATE = ("--at", "2026-12-02T01:30:00Z")


def test_a_person_reads_rules_clocks_and_the_next_instant(told: Told) -> None:
    code, out, _ = told(*WHY, *LATE)
    assert code == 0
    assert out.startswith("DENY  northwind-energy, collections\n")
    assert "us-fl-window: it is 20:30 on Tuesday in America/New_York" in out
    assert "next allowed: 2026-12-02T13:00:00Z" in out
    assert "2026-12-01T20:30-05:00  America/New_York" in out
    assert "us-debt-calls" in out


def test_the_exit_code_is_no_answer_and_the_decision_is(told: Told) -> None:
    """As README and docs/policy.md say: a script that asks for the exit code would be misled."""
    for when, decision in (("2026-12-01T17:00:00Z", "allow"), (LATE[1], "deny")):
        code, out, _ = told(*WHY, "--at", when, "--format", "json")
        assert (code, json.loads(out)["decision"]) == (0, decision)
    for page in ("README.md", "docs/policy.md"):
        assert "0 whatever the answer" in " ".join((TOP / page).read_text("utf-8").split())


def test_no_output_shows_the_number(told: Told) -> None:
    for words in (WHY, ("why", "--tenant", "northwind-energy", "--number", "305-555-0143")):
        for form in ("text", "json"):
            _, out, err = told(*words, *LATE, "--format", form)
            assert "5550143" not in out + err
            assert "555-0143" not in out + err


def test_what_depends_on_a_running_call_is_left_out_unless_given(told: Told) -> None:
    def reasons(*words: str) -> list[str]:
        _, out, _ = told(*WHY, "--at", "2026-12-01T17:00:00Z", "--format", "json", *words)
        return [reason["kind"] for reason in json.loads(out)["reasons"]]

    assert reasons("--effect", "payment") == []
    assert reasons("--effect", "payment", "--fact", "payment_taken") == ["fact"]
    assert reasons("--effect", "payment", "--fact", "identity_verified") == []
    assert reasons("--tool", "take_payment", "--fact", "identity_verified") == []
    assert reasons("--tool", "lookup_crm", "--disclosed", "ai") == ["consent"]


async def on_record(state: Path) -> tuple[Decision, Path]:
    """A dial at half past eight in the evening that the gate refused, and where that is written."""
    documents = {
        str(path.relative_to(TOP / "policy")): yaml.load(path.read_bytes(), yaml.CSafeLoader)
        for path in (TOP / "policy").rglob("*.yaml")
    }
    tenant = TOP / "flows" / "northwind-energy" / "tenant.yaml"
    settings = TenantSettings.from_document(yaml.load(tenant.read_bytes(), yaml.CSafeLoader))
    gate = PolicyGate.open(
        lambda: PolicySnapshot("sha256:policy-7", 7, documents), lambda _: settings, state
    )
    late = datetime(2026, 12, 2, 1, 30, tzinfo=UTC)
    asked = DialRequest(
        "call-1", settings.id, "overdue-invoice", "sha256:t", "+13055550143", "collections", late
    )
    return await gate.decide_dial(asked), state / "decisions"


async def test_why_tells_a_decision_on_record_as_it_was_taken(
    told: Told, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path))
    decision, record = await on_record(tmp_path)
    code, out, _ = told("why", "--decision", decision.id)
    assert code == 0
    assert out.startswith("DENY  northwind-energy, collections\n  dial · flow overdue-invoice")
    assert "window: us-fl-window: it is 20:30 on Tuesday in America/New_York" in out
    assert "2026-12-01T20:30-05:00  America/New_York" in out
    assert "policy sha256:policy-7 (7), tzdata " in out
    assert "5550143" not in out
    # Elsewhere, and without a repository: the record says all of it.
    _, text, _ = told("why", "--decision", decision.id, "--record", str(record), at=tmp_path)
    assert text == out
    _, out, _ = told("why", "--decision", decision.id, "--format", "json")
    answer = json.loads(out)
    _, out, _ = told(*WHY, *LATE, "--format", "json")
    asked = json.loads(out)
    assert list(answer) == list(asked)
    for part in ("decision", "reasons", "zones", "next_allowed"):
        assert answer[part] == asked[part], part
    # The gate also asked for consents, and whether the person is on the internal list.
    assert set(asked["rules"]) <= set(answer["rules"])
    assert set(answer["rules"]) - set(asked["rules"]) == {
        "us-artificial-voice-consent",
        "internal-list",
    }


async def test_a_decision_that_is_not_on_record_or_was_altered(told: Told, tmp_path: Path) -> None:
    decision, record = await on_record(tmp_path)
    where = ("--record", str(record))
    code, out, err = told("why", "--decision", "0" * 24, *where)
    assert (code, out) == (2, "")
    assert "there is no decision 0000" in err
    (path,) = record.glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"deny"', b'"allow"'))
    code, out, err = told("why", "--decision", decision.id, *where)
    assert (code, out) == (2, "")
    assert "was altered" in err


def test_nobody_dials_for_a_purpose_of_calls_that_come_in(told: Told, tmp_path: Path) -> None:
    """A tenant whose calls all come in: its purpose opens no dial, as the gate would say."""
    words = ("--tenant", "harbor-medical", "--at", "2026-12-01T03:00:00Z")
    code, out, _ = told("why", *words, "--number", "+12125550143")
    assert code == 0
    assert "purpose:care: 'care' is for inbound calls, and this one is outbound" in out
    assert "window: us-window" in out
    # A text message within such a call is another matter.
    _, out, _ = told("why", *words, "--number", "+12125550143", "--tool", "send_sms")
    assert out.startswith("ALLOW")
    (tmp_path / "numbers.txt").write_text("+12125550143\n")
    _, out, _ = told("preview", *words, "--numbers", str(tmp_path / "numbers.txt"))
    assert out.splitlines()[:2] == [
        "1 number: 0 could be called then",
        "         1  purpose: purpose:care",
    ]


@pytest.mark.parametrize(
    ("words", "left_out"),
    [
        ((), ["kill switches", "consents", "opt-outs", "frequency"]),
        (("--consent", "prior_express_consent"), ["kill switches", "opt-outs", "frequency"]),
        (("--tool", "take_payment"), ["kill switches", "facts", "disclosures", "spend"]),
        (
            ("--tool", "take_payment", "--fact", "identity_verified", "--disclosed", "ai"),
            ["kill switches", "spend"],
        ),
        (
            ("--effect", "contact"),
            [
                "kill switches",
                "facts",
                "disclosures",
                "consents",
                "opt-outs",
                "frequency",
                "spend",
            ],
        ),
    ],
)
def test_an_answer_says_what_it_did_not_look_at(
    told: Told, words: tuple[str, ...], left_out: list[str]
) -> None:
    _, out, _ = told(*WHY, *LATE, *words)
    said = out.partition("not looked at\n")[2].splitlines()
    assert [line.strip().partition(":")[0] for line in said] == left_out


def test_the_flow_tells_the_purpose(told: Told) -> None:
    _, out, _ = told(*WHY, *LATE, "--flow", "service-line")
    assert out.startswith("DENY  northwind-energy, service\n")


def test_a_policy_test_of_a_dial_that_comes_in_is_a_contradiction(
    told: Told, repository: Path
) -> None:
    path = repository / "policy" / "tests" / "platform.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("direction: outbound", "direction: inbound"), encoding="utf-8")
    code, out, _ = told("test", at=repository)
    assert code == 1
    assert "a dial is no inbound call: name a tool or an effect" in out


def test_an_address_is_one_more_place(told: Told) -> None:
    _, out, _ = told(*WHY, "--at", "2026-12-06T19:00:00Z", "--address", "Provo, UT")
    assert "us-ut-window" in out
    assert "America/Denver" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("why", "--tenant", "northwnd", "--number", "+12125550143"), "northwind-energy"),
        (("why", "--tenant", "northwind-energy"), "--number"),
        ((*WHY, "--decision", "1"), "not both"),
        (("why", "--decision", "1", "--record", "nowhere"), "nowhere"),
        ((*WHY, "--at", "yesterday"), "2026-12-01T15:00:00Z"),
        ((*WHY, "--at", "2026-12-01 15:00"), "2026-12-01T15:00:00Z"),
        ((*WHY, "--tool", "take_paymnt"), "take_payment"),
        ((*WHY, "--tool", "take_payment", "--effect", "payment"), "not both"),
        ((*WHY, "--effect", "pay"), "payment"),
        ((*WHY, "--fact", "identity_verifed"), "`identity_verified`"),
        ((*WHY, "--fact", "", "--tool", "take_payment"), "lists no fact ''"),
        ((*WHY, "--consent", "prior_express"), "`prior_express_consent`"),
        ((*WHY, "--disclosed", "recordin"), "`recording`"),
        ((*WHY, "--flow", "overdue-invoce"), "`overdue-invoice`"),
        ((*WHY, "--flow", "appointments"), "Known: after-hours"),
        ((*WHY, "--purpose", "colections"), "`collections`"),
        (("preview", "--tenant", "northwind-energy", "--numbers", "none.txt"), "none.txt"),
        (("nothing",), "nothing"),
    ],
)
def test_bad_input_gives_one_clear_message(told: Told, words: tuple[str, ...], says: str) -> None:
    code, out, err = told(*words)
    assert code == 2
    assert out == ""
    assert says in err
    assert "Traceback" not in err


def test_a_folder_that_is_no_repository(told: Told, tmp_path: Path) -> None:
    code, _, err = told("test", at=tmp_path)
    assert code == 2
    assert "flows/" in err


def test_the_shipped_tests_pass_and_leave_no_rule_out(told: Told) -> None:
    code, out, _ = told("test", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["summary"]["failed"] == 0
    assert answer["summary"]["passed"] > 100
    # Each rule has a test that it denies and one that it takes part in and allows.
    assert answer["untested"] == []


def test_a_test_that_fails_says_what_was_expected(told: Told, repository: Path) -> None:
    path = repository / "policy" / "tests" / "canada.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("2026-12-05T15:30:00Z", "2026-12-05T14:30:00Z"), encoding="utf-8")
    code, out, _ = told("test", at=repository)
    assert code == 1
    assert "FAILED  policy/tests/canada.yaml: Ontario, Saturday 10:30" in out
    assert "expected allow, got deny; against it: ca-window (window)" in out


def test_a_rule_without_a_test_is_named(told: Told, repository: Path) -> None:
    (repository / "policy" / "tests" / "canada.yaml").unlink()
    code, out, _ = told("test", at=repository)
    assert code == 0
    assert "without both a pass and a deny: ca-announcing-device-consent" in out


def test_a_file_of_tests_that_cannot_be_read_is_a_failure(told: Told, repository: Path) -> None:
    (repository / "policy" / "tests" / "broken.yaml").write_text("tests: [\n", encoding="utf-8")
    code, out, _ = told("test", at=repository)
    assert code == 1
    assert "FAILED  policy/tests/broken.yaml" in out


def test_a_document_with_an_error_denies(told: Told, repository: Path) -> None:
    path = repository / "policy" / "jurisdictions" / "us.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('mon-sun: "08:00-21:00"', "mon-sun: 08:00", 1), encoding="utf-8")
    code, out, _ = told(*WHY, "--at", "2026-12-01T17:00:00Z", at=repository)
    assert code == 0
    assert out.startswith("DENY")
    assert "policy/jurisdictions/us.yaml cannot be read: line " in out


def test_a_preview_counts_and_tells_no_number(told: Told, tmp_path: Path) -> None:
    file = tmp_path / "contacts.csv"
    file.write_text(
        "phone,name\n+12125550143,A\n+13055550143,B\n+13055550144,C\n+18005550143,D\n2125550143,E\n"
    )
    words = ("preview", "--tenant", "northwind-energy", "--numbers", str(file), *LATE)
    code, out, _ = told(*words)
    assert code == 0
    assert out.splitlines() == [
        "5 numbers: 1 could be called then",
        "         2  number_type: number-type",
        "         2  window: us-fl-window",
        "not looked at: kill switches, consents, opt-outs, earlier contacts",
    ]
    _, out, _ = told(*words, "--format", "json")
    assert json.loads(out)["allowed"] == 1
    assert "555" not in out
