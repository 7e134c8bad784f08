"""`trunkline comment`: what it says, to whom, how often, and what a stranger can make it say."""

import json
import re
from typing import Any

import pytest

from trunkline.commands.main import run
from trunkline.diff.change import Change
from trunkline.diff.level import Level
from trunkline.diff.picture import Picture, PictureEdge, PictureNode
from trunkline.diff.render.json_report import to_json
from trunkline.diff.report import LeftOut, Report

HEAD, NEXT, BASE = "a" * 40, "b" * 40, "c" * 40


def change(name: str, level: Level = Level.RISKY, **parts: Any) -> Change:
    given: dict[str, Any] = {
        "level": level,
        "kind": "tool-granted",
        "tenant": "acme",
        "flow": "bill",
        "node": "pay",
        "message": f"the agent can newly use `{name}`",
        "fingerprint": name.encode().hex().ljust(32, "0")[:32],
        "before": None,
        "after": name,
        "affects": (("acme", "bill"),),
    }
    return Change(**{**given, **parts})


def report(*changes: Change, **parts: Any) -> bytes:
    return json.dumps(to_json(Report(BASE, HEAD, changes, **parts))).encode()


@pytest.fixture
def comment(github: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the command on what a check of pull request 7 handed over at a commit."""
    for name, value in github.environment().items():
        monkeypatch.setenv(name, value)

    def on(data: bytes | None, head: str = HEAD) -> str:
        github.pulls.clear()
        id = github.pull_request(7, head)
        github.artifacts.clear()
        if data is not None:
            github.upload(id, data)
        assert run(["comment", "--run", str(id)]) == 0
        assert len(github.comments[7]) == 1
        found: str = github.comments[7][0]["body"]
        return found

    return on


def test_the_comment_says_what_changes_and_the_label_how_much(github: Any, comment: Any) -> None:
    said = comment(report(change("take_payment")))
    assert "the agent can newly use `take_payment`" in said
    assert said.endswith(
        "<sub>Judged at aaaaaaaaaaaa by "
        "[this run](https://github.com/acme/calls/actions/runs/1007).</sub>\n"
    )
    assert "`main` at `cccccccccccc` → `this pull request, merged` at `aaaaaaaaaaaa`" in said
    assert github.labels[7] == ["calls:risky"]
    comment(report(change("take_payment", Level.BREAKING)))
    assert github.labels[7] == ["calls:breaking"]
    said = comment(report())
    assert "**No change in calls.**" in said
    assert github.labels[7] == ["calls:none"]


def test_the_same_run_again_changes_nothing(github: Any, comment: Any) -> None:
    first = comment(report(change("one")))
    comment(report(change("one"), change("two")), NEXT)
    marked = comment(report(change("one"), change("two")), NEXT)
    writes = list(github.writes)
    assert comment(report(change("one"), change("two")), NEXT) == marked
    assert github.writes == writes
    assert marked != first


def test_what_is_new_since_the_last_push_is_marked_and_only_that(comment: Any) -> None:
    def new(said: str) -> list[str]:
        return re.findall(r"^- \*\*risky\*\* \*\*new\*\* .*use `(\w+)`$", said, re.MULTILINE)

    assert new(comment(report(change("one")))) == []
    assert new(comment(report(change("one"), change("two")), NEXT)) == ["two"]
    assert new(comment(report(change("one"), change("two")), NEXT)) == ["two"]
    assert new(comment(report(change("one"), change("two")), HEAD)) == []


def test_a_pull_request_that_changes_its_judge_is_marked(github: Any, comment: Any) -> None:
    github.files[7] = [{"filename": ".github/workflows/check.yml"}]
    said = comment(report())
    assert "**This pull request changes the workflow that looked at it.**" in said


def test_what_could_not_be_compared_is_to_be_weighed(github: Any, comment: Any) -> None:
    gap = LeftOut("acme/bill", "head", True, "flows/acme/bill.yaml:3: no YAML")
    comment(report(left_out=(gap,)))
    assert github.labels[7] == ["calls:risky"]


def test_a_check_that_came_to_nothing_replaces_what_was_said_of_another_commit(
    github: Any, comment: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    comment(report(change("one")))
    said = comment(None, NEXT)
    assert "**What changes in calls is not known:** the check did not come as far" in said
    assert "can newly use" not in said
    assert github.labels[7] == ["calls:risky"]
    assert "nothing can be shown" in capsys.readouterr().err


def picture(*edges: tuple[str, str]) -> Picture:
    nodes = (PictureNode("a", "same"), PictureNode("b", "added"))
    return Picture("acme", "bill", nodes, tuple(PictureEdge(*edge, "added") for edge in edges))


def hostile() -> dict[str, bytes]:
    good = json.loads(report(change("one"), pictures=(picture(("a", "b")),)))

    def spoilt(**parts: Any) -> bytes:
        return json.dumps({**good, **parts}).encode()

    details = good["details"]
    return {
        "another-version": spoilt(version=2),
        "no-details": spoilt(details=None),
        "changes-are-no-list": spoilt(changes={"0": 1}),
        "more-changes-than-details": spoilt(changes=good["changes"] * 2),
        "unknown-kind": spoilt(changes=[{**good["changes"][0], "kind": ["x"]}]),
        "unknown-level": spoilt(changes=[{**good["changes"][0], "level": "fine"}]),
        "number-for-text": spoilt(changes=[{**good["changes"][0], "message": 7}]),
        "way-to-nowhere": spoilt(
            details={
                **details,
                "pictures": [{**details["pictures"][0], "edges": [["a", "z", "added", ""]]}],
            }
        ),
        "accepted-by-a-text": spoilt(
            details={**details, "changes": [{**details["changes"][0], "accepted": "yes"}]}
        ),
    }


@pytest.mark.parametrize("name", hostile())
def test_what_trunkline_did_not_write_is_not_shown(github: Any, comment: Any, name: str) -> None:
    said = comment(hostile()[name])
    assert "**What changes in calls is not known:**" in said
    assert github.labels[7] == ["calls:risky"]


def test_words_of_a_flow_do_nothing_in_the_comment(comment: Any) -> None:
    words = (
        "@acme/everyone see #12 or https://example.com <img src=x> ![x](https://example.com/x) "
        "<!-- trunkline comment: of " + NEXT + " since. --> ```\n# big\n</details> [a](b)"
    )
    shown = change("one", message=words, before=words, after=words, node=words, trace=(words,))
    said = comment(report(shown, pictures=(picture(("a", "b")),)))
    for live in ("@acme/", "#12", "https://example", "<img", "](", "</details> [", "\n# big"):
        assert live not in said.replace("[this run](https://github.com", "").replace(
            "<details open>", ""
        )
    assert said.count("<!-- trunkline comment: of") == 1


def test_a_comment_never_holds_more_than_github_takes(github: Any, comment: Any) -> None:
    many = [change(f"tool_{number}", message=f"{number} " + "words " * 80) for number in range(400)]
    comment(report(*many))
    said = comment(report(*many), NEXT)
    assert len(said) <= 65_536
    assert "left out" in said


def test_a_run_without_a_pull_request_says_so_and_writes_nothing(
    github: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in github.environment().items():
        monkeypatch.setenv(name, value)
    id = github.pull_request(7, HEAD)
    github.pulls.clear()
    assert run(["comment", "--run", str(id)]) == 0
    assert "nothing to say" in capsys.readouterr().out
    assert github.writes == []
    assert run(["comment", "--run", "99"]) == 2
