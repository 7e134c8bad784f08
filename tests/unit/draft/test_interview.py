"""`trunkline interview`: an answer changes its step alone, is shown first, and is never lost."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trunkline.commands import interview as module
from trunkline.draft.keep import keep

FLOW = "flows/meridian/reminder.yaml"
PROGRESS = ".trunkline/interview/meridian/reminder.json"
ANSWER = "If it is somebody else, say sorry and end the call. Never name the account holder."
NEVER = {
    "speak": ["ai", "recording", "opt_out"],
    "say": "I am calling for {{ tenant.display_name }}.",
    "instructions": "Ask whether now is a good time. Never name the account holder.",
    "collect": [],
    "tools": [],
    "edges": [
        {"to": "verify", "when": "the person agrees to talk"},
        {"to": "goodbye", "when": "the person declines"},
        {"to": "goodbye", "when": "it is somebody else"},
    ],
}
NO = {"if": None, "requires": [], "clears": [], "correction": False}


def _step(**changes: Any) -> dict[str, Any]:
    """The step `greeting` as the model answers it."""
    step = {**NEVER, **changes}
    step["edges"] = [{**edge, **NO} for edge in step["edges"]]
    return {"step": step, "gaps": []}


@pytest.fixture
def flow(
    trunkline: Callable[..., Any], answered: Any, server: Any, brief: Path, plan: Any, steps: Any,
    repository: Path,
) -> Path:  # fmt: skip
    """A flow that was drafted and then annotated by a person."""
    answered(plan, steps)
    assert trunkline("draft", "meridian", "reminder", "--from", str(brief))[0] == 0
    server.requests.clear()
    file = repository / FLOW
    text = file.read_text().replace("  verify:\n", "  # ours: do not touch\n  verify:   # why\n")
    file.write_text(
        text.replace(
            "    edges:\n      - to: verify", "    edges:\n      # yes\n      - to: verify"
        )
    )
    return file


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    file = tmp_path / "answers.yaml"
    file.write_text(f"greeting:\n  who: {ANSWER}\n")
    return file


@pytest.fixture
def interview(trunkline: Callable[..., Any], answers: Path) -> Callable[..., Any]:
    """Holds the interview with the answers file."""
    return lambda *more: trunkline(
        "interview", "meridian", "reminder", "--answers", str(answers), *more
    )


def test_the_questions_depend_on_what_a_step_does(trunkline: Any, flow: Path) -> None:
    code, out, _ = trunkline("interview", "meridian", "reminder", "--list")
    assert code == 0
    ids: dict[str, list[str]] = {}
    for line in out.splitlines():
        node, id = line.split(":")[0].split()
        ids.setdefault(node, []).append(id)
    assert ids == {
        "greeting": ["who", "refusal", "never"],
        "verify": ["who", "refusal", "proof", "failure", "never", "back"],
        "amount": ["refusal", "proof", "failure", "never", "back"],
        "human": ["unreachable", "told"],
        "voicemail": ["words"],
        "do_not_call": ["words"],
        "goodbye": ["words"],
    }


def test_an_answer_changes_its_step_and_leaves_every_other_line(
    interview: Any, answered: Any, flow: Path, server: Any
) -> None:
    before = flow.read_text()
    answered(_step())
    code, out, err = interview("--yes")
    assert (code, err) == (0, "")
    after = flow.read_text()
    added = [
        "      - to: goodbye",
        "        when: it is somebody else",
        "    instructions: Ask whether now is a good time. Never name the account holder.",
    ]
    gone = ["    instructions: Ask whether now is a good time. Say nothing about the account."]
    old, new = before.splitlines(), after.splitlines()
    assert sorted(new) == sorted([*[line for line in old if line not in gone], *added])
    assert [line for line in new if line not in added] == [
        line for line in old if line not in [*gone, *added]
    ]
    for line in added:
        assert f"+{line}" in out
    assert f"kept in {FLOW}" in out
    prompt = server.requests[0]["messages"][1]["content"]
    assert ANSWER in prompt
    assert "Who may answer here" in prompt
    schema = server.requests[0]["response_format"]["json_schema"]
    assert schema["name"] == "step"
    edge = schema["schema"]["$defs"]["edge"]
    assert edge["properties"]["to"]["enum"] == [
        "greeting", "verify", "amount", "human", "voicemail", "do_not_call", "goodbye",
    ]  # fmt: skip


def test_it_is_shown_and_not_kept_without_a_yes(interview: Any, answered: Any, flow: Path) -> None:
    before = flow.read_bytes()
    answered(_step())
    code, out, _ = interview()
    assert code == 0
    assert "+        when: it is somebody else" in out
    assert "shown, not kept" in out
    assert flow.read_bytes() == before


def test_a_change_that_brings_errors_goes_back_once_and_is_not_kept(
    interview: Any, answered: Any, flow: Path, server: Any
) -> None:
    before = flow.read_bytes()
    answered(*[_step(speak=[], instructions="Say {{ slots.amount_due }}.")] * 2)
    code, out, _ = interview("--yes")
    assert code == 1
    assert len(server.requests) == 2
    assert "TL402" in server.requests[1]["messages"][3]["content"]
    assert "not kept: the flow would have errors" in out
    assert flow.read_bytes() == before


def test_what_was_answered_is_not_asked_again(
    interview: Any, answered: Any, flow: Path, server: Any, answers: Path, repository: Path
) -> None:
    answered(_step())
    assert interview("--yes")[0] == 0
    assert interview("--yes")[0] == 0
    assert len(server.requests) == 1
    noted = json.loads((repository / PROGRESS).read_text())
    assert noted == {"greeting": {"who": {"answer": ANSWER, "state": "kept"}}}
    answers.write_text("greeting:\n  who: Anybody may answer.\n")
    answered(_step())
    code, out, _ = interview("--yes")
    assert (code, len(server.requests)) == (0, 2)
    assert "nothing changes" in out


@pytest.mark.parametrize("moment", ["asking", "before the file", "after the file"])
def test_interrupted_at_any_moment_nothing_is_lost(
    interview: Any, answered: Any, flow: Path, server: Any, monkeypatch: Any, repository: Path,
    moment: str,
) -> None:  # fmt: skip
    before = flow.read_bytes()
    with monkeypatch.context() as patched:
        if moment == "asking":

            def stopped(*_: Any) -> None:
                raise KeyboardInterrupt

            patched.setattr(module, "change_of", stopped)
        else:
            answered(_step())

            def killed(root: Path, path: str, text: str) -> None:
                if moment == "after the file":
                    keep(root, path, text)
                raise KeyboardInterrupt

            patched.setattr(module, "keep", killed)
        assert interview("--yes")[0] == 130
    noted = json.loads((repository / PROGRESS).read_text())["greeting"]["who"]
    assert noted["answer"] == ANSWER
    asked = len(server.requests)
    if moment == "after the file":
        kept = flow.read_bytes()
        assert kept != before
        assert interview("--yes")[0] == 0
        assert len(server.requests) == asked  # the file itself says that it was kept
        assert flow.read_bytes() == kept
    else:
        assert flow.read_bytes() == before
        answered(_step())
        assert interview("--yes")[0] == 0
        assert b"it is somebody else" in flow.read_bytes()


def test_what_an_answer_cannot_say_is_kept(
    interview: Any, answered: Any, flow: Path, answers: Path
) -> None:
    text = flow.read_text().replace(
        "      - id: lookup_crm\n        with:\n",
        "      - id: lookup_crm\n        max_calls: 2   # twice is enough\n        with:\n",
    )
    flow.write_text(
        text.replace("    collect: [full", "    history:\n      keep: 4\n    collect: [full")
    )
    answers.write_text("verify:\n  never: The name on the account.\n")
    edge = {"to": "goodbye", "when": "someone else answered", **NO}
    proven = {"to": "amount", "when": None, **NO, "if": "facts.identity_verified"}
    failed = {"to": "human", "when": None, **NO, "if": "failed.lookup_crm"}
    unbound = {"id": "lookup_crm", "with": dict.fromkeys(["account_id", "full_name", "postcode"])}
    answered(
        {
            "step": {
                "speak": [],
                "say": None,
                "instructions": "Verify. Never say the name on the account.",
                "collect": ["full_name", "postcode"],
                "tools": [{**unbound, "sets": []}],
                "edges": [proven, failed, edge],
            },
            "gaps": [{"needs": "a tool that knows voices", "why": "to be sure"}],
        }
    )
    code, out, _ = interview("--yes")
    assert code == 0
    assert "needs: a tool that knows voices (to be sure)" in out
    after = flow.read_text()
    assert "max_calls: 2   # twice is enough" in after
    assert "keep: 4" in after
    assert "full_name: slots.full_name" in after  # a bound argument is not set free by silence


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("greeting:\n  whom: x\n", "2: greeting is not asked 'whom'. Did you mean `who`?"),
        ("nowhere:\n  who: x\n", "2: nowhere is not asked 'who'. It is asked nothing."),
        ("greeting:\n  who: 7\n", "2: an answer is words"),
        ("greeting: x\n", "1: greeting is not asked ''."),
        ("- x\n", "write `node:`, and below it `question: answer`"),
        ("a: [\n", "answers.yaml:"),
    ],
)
def test_answers_that_answer_nothing(
    interview: Any, flow: Path, answers: Path, written: str, told: str
) -> None:
    answers.write_text(written)
    code, _, err = interview("--yes")
    assert code == 2
    assert told in err


def test_without_a_terminal_nothing_is_asked(
    trunkline: Any, flow: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    code, _, err = trunkline("interview", "meridian", "reminder")
    assert code == 2
    assert "give --answers FILE, or --list" in err
    assert "did you mean `reminder`?" in trunkline("interview", "meridian", "remind")[2].lower()
    assert (
        "no node greting. Did you mean `greeting`?"
        in (trunkline("interview", "meridian", "reminder", "greting")[2])
    )


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes the terminal's next lines."""

    def put(lines: str) -> None:
        terminal = io.StringIO(lines)
        monkeypatch.setattr(terminal, "isatty", lambda: True)
        monkeypatch.setattr(sys, "stdin", terminal)

    return put


def test_in_a_terminal_it_asks_shows_and_keeps_what_is_wanted(
    trunkline: Any, answered: Any, flow: Path, typed: Any, repository: Path
) -> None:
    before = flow.read_bytes()
    answered(_step(), _step())
    # who: an answer, not kept after all. refusal: left. never: an answer, kept.
    typed("Anybody.\nn\n\nThe name.\ny\n")
    code, out, _ = trunkline("interview", "meridian", "reminder", "greeting")
    assert code == 0
    for question in ("Who may answer here", "What if they refuse", "What must never be said"):
        assert question in out
    assert out.count("+        when: it is somebody else") == 2
    assert out.count(f"kept in {FLOW}") == 1
    assert flow.read_bytes() != before
    noted = json.loads((repository / PROGRESS).read_text())["greeting"]
    assert {id: each["state"] for id, each in noted.items()} == {
        "who": "dropped", "refusal": "skipped", "never": "kept",
    }  # fmt: skip
    typed("")
    assert trunkline("interview", "meridian", "reminder", "greeting")[0] == 0


def test_the_end_of_the_input_is_an_interruption(
    trunkline: Any, answered: Any, flow: Path, typed: Any, repository: Path, server: Any
) -> None:
    before = flow.read_bytes()
    answered(_step())
    typed("Anybody.\n")
    assert trunkline("interview", "meridian", "reminder", "greeting")[0] == 130
    assert flow.read_bytes() == before
    answered(_step())
    typed("y\n")  # the answer is remembered: only the change has still to be decided
    assert trunkline("interview", "meridian", "reminder", "greeting")[0] == 130
    assert flow.read_bytes() != before
    assert len(server.requests) == 2
