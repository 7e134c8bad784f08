"""`trunkline draft` end to end: words in, a flow that passes the check out, exact requests."""

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trunkline.compile import compile_repository

FLOW = "flows/meridian/reminder.yaml"
SCENARIOS = "flows/meridian/scenarios/reminder.yaml"
REQUESTS = Path(__file__).parents[2] / "examples/drafts/reminder.requests.json"


@pytest.fixture
def draft(trunkline: Callable[..., Any], brief: Path) -> Callable[..., Any]:
    """Drafts the reminder."""
    return lambda *more: trunkline("draft", "meridian", "reminder", "--from", str(brief), *more)


def test_words_become_a_flow_that_passes_the_check(
    draft: Any, trunkline: Any, answered: Any, plan: Any, steps: Any, repository: Path
) -> None:
    answered(plan, steps)
    code, out, err = draft()
    assert (code, err) == (0, "")
    assert out.splitlines()[:4] == [
        f"wrote {FLOW}",
        f"wrote {SCENARIOS}",
        "compiled at once, 0 rounds of repair, no errors left",
        "needs: a tool that sends a letter (some people ask for the invoice on paper)",
    ]
    assert "2 requests, 200 tokens read and 20 written" in out
    assert trunkline("check")[:2] == (0, "No findings.\n")
    table = compile_repository(repository).tables["meridian", "reminder"]
    assert set(table["nodes"]) == {step["name"] for step in plan["steps"]}


def test_the_requests_are_exactly_these(
    draft: Any, server: Any, answered: Any, plan: Any, steps: Any
) -> None:
    """To renew the record after a change that is meant: TRUNKLINE_RECORD=1."""
    answered(plan, steps)
    assert draft()[0] == 0
    if os.environ.get("TRUNKLINE_RECORD"):
        REQUESTS.write_text(json.dumps(server.requests, indent=1) + "\n", encoding="utf-8")
    assert server.requests == json.loads(REQUESTS.read_bytes())
    assert server.paths == ["/v1/chat/completions"] * 2
    assert server.keys == ["Bearer test-key-that-must-never-be-seen"] * 2


def _unproven(steps: Any) -> Any:
    """The same steps, but the amount is told to anybody, and nothing says the opt-out."""
    broken = copy.deepcopy(steps)
    broken["anywhere"] = broken["anywhere"][1:]
    broken["keys"] = []
    return broken


def test_findings_go_back_to_the_model_with_line_and_help(
    draft: Any, server: Any, answered: Any, plan: Any, steps: Any, trunkline: Any
) -> None:
    answered(plan, _unproven(steps), plan, steps)
    code, out, _ = draft()
    assert code == 0
    assert "2 errors at first, 1 round of repair, no errors left" in out
    assert trunkline("check")[0] == 0
    system, asked, answer, findings = server.requests[2]["messages"]
    assert (system, asked) == tuple(server.requests[0]["messages"])
    assert json.loads(answer["content"]) == plan
    assert json.loads(server.requests[3]["messages"][2]["content"]) == _unproven(steps)
    assert findings == server.requests[3]["messages"][3]
    told = findings["content"]
    assert "- error TL201 at node do_not_call, line " in told
    assert "- error TL501 at node greeting, line " in told


def test_what_is_still_wrong_stands_beside_the_node(
    draft: Any, server: Any, answered: Any, plan: Any, steps: Any, repository: Path, trunkline: Any
) -> None:
    answered(*[plan, _unproven(steps)] * 3)
    code, out, _ = draft("--rounds", "2")
    assert code == 1
    assert len(server.requests) == 6
    assert "2 errors left: look for # TODO in the file and decide" in out
    lines = (repository / FLOW).read_text().splitlines()
    todo = next(i for i, line in enumerate(lines) if line.startswith("  # TODO TL201"))
    after = next(line for line in lines[todo:] if not line.lstrip().startswith("#"))
    assert after == "  do_not_call:"
    assert [line for line in lines if line.startswith("  # TODO TL501")] != []
    code, out, _ = trunkline("check")
    assert code == 1
    assert "TL201" in out
    assert not (repository / SCENARIOS).exists()


def test_a_repair_that_makes_it_worse_is_not_kept(
    draft: Any, answered: Any, plan: Any, steps: Any, repository: Path
) -> None:
    worse = _unproven(steps)
    worse["steps"]["verify"]["edges"] = []
    answered(plan, _unproven(steps), plan, worse)
    code, out, _ = draft("--rounds", "1")
    assert code == 1
    assert "2 errors at first, 1 round of repair, 2 errors left" in out
    assert "if: facts.identity_verified" in (repository / FLOW).read_text()


def test_a_flow_that_exists_is_not_replaced_unasked(
    draft: Any, server: Any, answered: Any, plan: Any, steps: Any, repository: Path
) -> None:
    (repository / FLOW).write_text("# mine\n")
    code, _, err = draft()
    assert code == 2
    assert "trunkline interview meridian reminder" in err
    assert server.requests == []
    answered(plan, steps)
    assert draft("--replace")[0] == 0
    assert "# mine" not in (repository / FLOW).read_text()


@pytest.mark.parametrize("name", ["../escape", "tenant", "channels", "Up", "a/b", ""])
def test_a_name_that_is_no_flow_is_refused(trunkline: Any, server: Any, name: str) -> None:
    assert trunkline("draft", "meridian", name)[0] == 2
    assert server.requests == []


def test_the_nearest_tenant_is_named(trunkline: Any, brief: Path) -> None:
    code, _, err = trunkline("draft", "meridan", "x", "--from", str(brief))
    assert code == 2
    assert "Did you mean `meridian`?" in err


def test_numbers_and_secrets_of_the_brief_are_not_sent(
    trunkline: Any, server: Any, answered: Any, plan: Any, steps: Any, tmp_path: Path
) -> None:
    words = tmp_path / "words.txt"
    words.write_text("Put them through to +1 202 555 0188; the password: hunter2hunter2 opens it.")
    answered(plan, steps)
    assert trunkline("draft", "meridian", "reminder", "--from", str(words))[0] == 0
    sent = json.dumps(server.requests)
    assert "[a telephone number]" in sent
    assert "0188" not in sent
    assert "hunter2" not in sent
    assert "5550111" not in sent  # nor those of the tenant: numbers have names
