"""Two changes that are safe one by one can open a path together: what a merge queue is for."""

from trunkline.diff.level import Level
from trunkline.diff.report import Report, compare_revisions

from .conftest import Repository

PATH = "flows/acme/twice.yaml"
FIRST = "{to: again, when: they agree, requires: [identity_verified]}"
SECOND = "{to: pay, when: they still agree, requires: [identity_verified, payment_agreed]}"
FLOW = f"""schema_version: 1
id: twice
description: Two guards stand in front of the payment.
direction: outbound
purpose: collections
language: en-US
start: hello
inputs:
  account_id: {{type: string}}
anywhere:
  - {{to: leave, when: the person asks not to be called again}}
keys: {{"9": leave}}
nodes:
  hello:
    speak: [ai, recording]
    instructions: Ask whether they agree.
    edges:
      - {FIRST}
  again:
    instructions: Ask once more.
    edges:
      - {SECOND}
  pay:
    instructions: Take the payment.
    tools:
      - id: take_payment
        with: {{account_id: inputs.account_id, amount: "1.0"}}
    edges:
      - {{to: leave, when: it is done}}
  leave: {{kind: end, say: Goodbye., outcome: opt_out}}
"""


def without(guard: str) -> tuple[str, str]:
    return guard, guard.replace("identity_verified, ", "").replace(
        ", requires: [identity_verified]", ""
    )


def kinds(report: Report) -> set[str]:
    assert report.left_out == ()
    return {change.kind for change in report.changes}


def test_each_guard_may_go_but_not_both(repo: Repository) -> None:
    (repo.root / PATH).write_text(FLOW, "utf-8")
    repo.commit("Two guards")
    for branch, guard in (("one", FIRST), ("other", SECOND)):
        repo.git("checkout", "--quiet", "-b", branch, "main")
        repo.edit(PATH, *without(guard))
        repo.commit(branch)
        alone = compare_revisions(repo.root, "main", branch)
        assert "proof-lost" not in kinds(alone)
        assert not alone.reaches(Level.BREAKING)
    # The queue puts the second one on top of the first, and compares what it is about to merge.
    repo.git("checkout", "--quiet", "-b", "queue", "one")
    repo.git("merge", "--quiet", "--no-edit", "other")
    queued = compare_revisions(repo.root, "one", "queue")
    assert "proof-lost" in kinds(queued)
    assert queued.reaches(Level.BREAKING)
    (item,) = queued.items
    assert (item.lead.kind, item.cause.kind) == ("proof-lost", "guard-weakened")
    assert item.lead.message.startswith("`take_payment` at `pay` (takes money) can now be called")
