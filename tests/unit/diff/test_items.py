"""A cause and what it brings about are one item, counted once, by the worst that is open."""

from dataclasses import replace

from trunkline.diff.acceptance import Acceptance
from trunkline.diff.change import Change
from trunkline.diff.items import items_of
from trunkline.diff.level import Level
from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.render.text import render_text
from trunkline.diff.render.verdict import verdict
from trunkline.diff.report import Report


def change(name: str, kind: str, level: Level, effect_of: str = "", **more: object) -> Change:
    given = {
        **{"level": level, "kind": kind, "tenant": "acme", "flow": "bill", "node": "pay"},
        **{"message": f"this is {name}", "fingerprint": name * 32, "before": None, "after": None},
        **{"affects": (("acme", "bill"),), "why": f"of {name}"},
    }
    return Change(**{**given, "effect_of": effect_of * 32, **more})  # type: ignore[arg-type]


GUARD = change("a", "guard-removed", Level.RISKY, node="verify")
PROOF = change("b", "proof-lost", Level.BREAKING, "a")
WORDS = change("c", "say-changed", Level.INFO, node="bye")
SPEND = change("d", "worst-case-spend-grown", Level.RISKY, "b")


def test_an_effect_of_an_effect_belongs_to_the_first_cause() -> None:
    first, second = items_of((PROOF, GUARD, SPEND, WORDS))
    assert (first.cause, first.members) == (GUARD, (PROOF, GUARD, SPEND))
    assert second.members == (WORDS,)


def test_what_callers_meet_stands_first() -> None:
    flow = change("a", "flow-removed", Level.BREAKING)
    number = change("b", "inbound-removed", Level.RISKY, "a", flow=None, node=None)
    report = Report("x", "y", (flow, number))
    (item,) = report.items
    assert (item.lead, item.level) == (number, Level.BREAKING)
    assert "- **breaking** `acme`: this is b. Breaking because of a." in render_markdown(report)


def test_the_verdict_counts_causes_in_good_grammar() -> None:
    assert verdict(Report("x", "y", (PROOF, GUARD))).startswith("1 breaking change in calls")
    other = change("e", "guard-removed", Level.RISKY)
    one_each = Report("x", "y", (PROOF, GUARD, other))
    assert verdict(one_each) == "1 breaking and 1 risky change in calls of acme/bill"
    more = Report("x", "y", (PROOF, GUARD, other, replace(other, fingerprint="f" * 32)))
    assert verdict(more).startswith("1 breaking and 2 risky changes in calls")


def test_an_accepted_effect_leaves_its_cause_to_be_weighed() -> None:
    accepted = {PROOF.fingerprint: Acceptance(PROOF.fingerprint, "A trial.", "x@example.com")}
    report = Report("x", "y", (PROOF, GUARD), accepted)
    assert verdict(report).startswith("1 risky and 1 breaking but accepted change in calls")
    told = render_markdown(report)
    assert "- ~~breaking~~ **accepted**" in told
    assert "  - because: this is a" in told
    assert "The check fails" not in told


def test_what_follows_stands_below_with_a_word_that_ties_it() -> None:
    report = Report("x", "y", (PROOF, GUARD, SPEND))
    told = render_markdown(report)
    assert "  - because: this is a (at node `verify`)" in told
    assert "  - so: this is d" in told
    lines = [line.strip() for line in render_text(report).splitlines()]
    assert lines.index("because: node verify: this is a") > 0
    assert "so: this is d" in lines


def test_a_stranger_may_write_causes_that_go_round_or_are_not_there() -> None:
    round_one = replace(GUARD, effect_of=PROOF.fingerprint)
    assert len(items_of((PROOF, round_one))) == 1
    itself = replace(GUARD, effect_of=GUARD.fingerprint)
    assert [item.members for item in items_of((itself,))] == [(itself,)]
    assert len(items_of((replace(PROOF, effect_of="9" * 32), WORDS))) == 2


def test_nothing_asks_to_accept_what_is_merged_already() -> None:
    report = Report("x", "y", (PROOF,))
    assert "The check fails" in render_markdown(report)
    assert PROOF.fingerprint in render_markdown(report)
    merged = render_markdown(report, proposed=False)
    assert "The check fails" not in merged
    assert "Fingerprints" not in merged
