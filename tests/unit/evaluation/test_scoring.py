"""The evaluation set: twelve briefs that its repository can serve, and a score that can be bad."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from trunkline.compile import compile_repository
from trunkline.draft.asking import Spent
from trunkline.draft.compiling import Workbench
from trunkline.draft.drafting import Drafted, Gap
from trunkline.draft.vocabulary import Vocabulary, vocabulary

EVALUATION = Path(__file__).parents[2] / "evaluation"
ROOT = EVALUATION / "repository"
DRAFTS = Path(__file__).parents[2] / "examples/drafts"


@pytest.fixture
def scoring(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(EVALUATION))
    import scoring

    return scoring


@pytest.fixture
def words() -> Vocabulary:
    repository = Workbench(ROOT, "flows/meridian/x.yaml").repository
    return vocabulary(repository, "meridian", "", most_tools=100)


def test_the_repository_of_the_evaluation_has_no_finding() -> None:
    assert compile_repository(ROOT).findings == ()


def test_twelve_briefs_that_name_only_what_there_is(scoring: Any, words: Vocabulary) -> None:
    briefs = scoring.briefs()
    assert len({brief.name for brief in briefs}) == 12
    tools = {tool.id for tool in words.tools}
    for brief in briefs:
        assert brief.purpose in words.purposes
        assert set(brief.tools) <= tools
        assert set(brief.outcomes) <= words.outcomes.keys()
    assert {brief.purpose for brief in briefs} == words.purposes.keys()


@pytest.fixture
def drafted(words: Vocabulary) -> Drafted:
    """The recorded draft of a reminder."""
    from trunkline.draft.assemble import flow_document
    from trunkline.draft.spelling import spell

    plan = json.loads((DRAFTS / "reminder.plan.json").read_bytes())
    steps = json.loads((DRAFTS / "reminder.steps.json").read_bytes())
    bench = Workbench(ROOT, "flows/meridian/reminder.yaml")
    proposal = bench.propose(spell(flow_document("reminder", plan, steps, words)))
    spent = Spent(2, 200, 20, 1.5)
    return Drafted(proposal, 0, 0, (Gap("a letter", "paper"),), (), (), spent)


def test_a_draft_is_scored_by_what_it_names(
    scoring: Any, words: Vocabulary, drafted: Drafted
) -> None:
    brief = scoring.Brief(
        "b", "", "collections", ("lookup_crm",), ("voicemail",), ("transfer",), True
    )
    assert scoring.score(brief, drafted, words) == scoring.Score(
        "b", True, True, True, requests=2, tokens=220, seconds=1.5
    )
    harder = replace(
        brief, purpose="sales", tools=("take_payment",), outcomes=("paid",), kinds=("confirm",)
    )
    bad = scoring.score(harder, replace(drafted, gaps=(), first=3), words)
    assert bad.missing == (
        "purpose sales", "tool take_payment", "outcome paid", "a confirm node", "a gap",
    )  # fmt: skip
    assert (bad.first, bad.after) == (False, True)


def test_what_is_invented_and_what_policy_misses_is_seen(
    scoring: Any, words: Vocabulary, drafted: Drafted
) -> None:
    brief = scoring.Brief("b", "", "collections", (), (), (), False)
    text = drafted.proposal.text
    for old, new in (
        ("id: get_invoice", "id: wipe_disk"),
        ("number: support", "number: mars"),
        ("outcome: voicemail", "outcome: rich"),
        ("speak: [ai, recording, opt_out]", "speak: [ai, opt_out, jokes]"),
        ("requires: [slots.amount_due]", "requires: [trusted]"),
    ):
        assert old in text
        text = text.replace(old, new)
    proposal = Workbench(ROOT, "flows/meridian/reminder.yaml").propose(text)
    found = scoring.score(brief, replace(drafted, proposal=proposal), words)
    assert set(found.invented) == {
        "tool wipe_disk", "number mars", "outcome rich", "disclosure jokes", "fact trusted",
    }  # fmt: skip
    assert (found.after, found.obliged) == (False, False)
