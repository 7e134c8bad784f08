"""What the forge says to GitHub and reads from it, over HTTP, against a server that keeps count."""

import json
from typing import Any

import pytest

from trunkline.failure import FatalError
from trunkline.forge.github import GitHub, github_here
from trunkline.forge.handover import MAX_ZIP_BYTES, Unusable, handed_over
from trunkline.forge.night import MARKER as NIGHT
from trunkline.forge.night import keep_issue
from trunkline.forge.pull_request import judged_by, run_of
from trunkline.forge.sticky import MARKER, label, place

HEAD = "a" * 40


@pytest.fixture
def here(github: Any) -> GitHub:
    return github_here(github.environment())


def test_one_comment_is_made_then_changed_in_place_and_left_alone_when_it_is_the_same(
    github: Any, here: GitHub
) -> None:
    for number in range(5):  # ours is on the third page
        github.comment(7, f"a remark {number}", "User")
    assert place(here, 7, f"{MARKER}\nfirst") == "made"
    assert place(here, 7, f"{MARKER}\nfirst") == "same"
    assert place(here, 7, f"{MARKER}\nsecond\n") == "changed"
    github.comments[7][-1]["body"] = f"{MARKER}\r\nsecond"  # as the web editor would leave it
    assert place(here, 7, f"{MARKER}\nsecond\n") == "same"
    assert len(github.comments[7]) == 6
    assert github.writes == ["POST issues/7/comments", "PATCH issues/comments/705"]


def test_a_marker_that_a_stranger_wrote_is_not_taken_for_ours(github: Any, here: GitHub) -> None:
    github.comment(7, f"{MARKER}\nall is well", "User", "CONTRIBUTOR")
    assert place(here, 7, f"{MARKER}\nit is not") == "made"
    assert [one["body"] for one in github.comments[7]] == [
        f"{MARKER}\nall is well",
        f"{MARKER}\nit is not",
    ]
    github.comments[8] = []
    github.comment(8, f"{MARKER}\nby hand", "User", "MEMBER")
    assert place(here, 8, f"{MARKER}\nby a bot") == "changed"


def test_a_pull_request_has_one_of_our_labels_and_keeps_all_others(
    github: Any, here: GitHub
) -> None:
    github.labels[7] = ["urgent", "calls:none", "calls:info", "help wanted"]
    assert label(here, 7, "calls:risky") == "changed"
    assert sorted(github.labels[7]) == ["calls:risky", "help wanted", "urgent"]
    assert github.known_labels["calls:risky"]["color"] == "fbca04"
    writes = len(github.writes)
    assert label(here, 7, "calls:risky") == "same"
    assert len(github.writes) == writes
    assert label(here, 8, "calls:risky") == "made"


def test_the_pull_request_of_a_fork_is_found_by_what_github_says_of_the_run(
    github: Any, here: GitHub
) -> None:
    run = run_of(here, github.pull_request(7, HEAD))
    github.files[7] = [{"filename": "flows/acme/a.yaml"}]
    found = judged_by(here, run)
    assert found is not None
    assert (found.number, found.head, found.edits_its_judge) == (7, HEAD, False)
    github.files[7] += [{"filename": "README.md"}, {"filename": "notes/check.yml"}]
    github.files[7][2]["previous_filename"] = ".github/workflows/check.yml"
    found = judged_by(here, run)
    assert found is not None
    assert found.edits_its_judge


def test_a_run_that_a_push_or_a_merge_has_overtaken_has_no_pull_request(
    github: Any, here: GitHub
) -> None:
    run = run_of(here, github.pull_request(7, HEAD))
    github.pulls[0]["head"]["sha"] = "b" * 40
    assert judged_by(here, run) is None
    github.pulls[0] |= {"state": "closed", "head": {"sha": HEAD, "label": "stranger:words"}}
    assert judged_by(here, run) is None
    github.runs[run.id] |= {"event": "merge_group"}
    assert judged_by(here, run_of(here, run.id)) is None
    github.runs[run.id] |= {"event": "pull_request", "head_repository": None}
    assert judged_by(here, run_of(here, run.id)) is None  # the fork is deleted
    with pytest.raises(FatalError, match="acme/calls has no workflow run 99"):
        run_of(here, 99)


def test_the_newest_hand_over_is_read_from_another_host_without_the_token(
    github: Any, here: GitHub
) -> None:
    github.upload(1007, b'{"version": 1}')
    github.upload(1007, json.dumps({"version": 1, "changes": []}).encode())
    assert handed_over(here, 1007) == {"version": 1, "changes": []}


def test_a_hand_over_is_capped_before_and_while_it_is_downloaded(github: Any, here: GitHub) -> None:
    with pytest.raises(Unusable, match="did not come as far"):
        handed_over(here, 1007)
    github.upload_zip(1007, b"x", size=MAX_ZIP_BYTES + 1)
    with pytest.raises(Unusable, match="too large"):
        handed_over(here, 1007)
    github.upload_zip(1008, bytes(MAX_ZIP_BYTES + 1), size=10)
    with pytest.raises(Unusable, match="too large"):
        handed_over(here, 1008)
    github.upload(1009, b"{}")
    github.artifacts[1009][0][0]["expired"] = True
    with pytest.raises(Unusable, match="did not come as far"):
        handed_over(here, 1009)


def test_one_issue_lives_for_as_long_as_something_is_urgent(github: Any, here: GitHub) -> None:
    github.issues.append(
        {"number": 1, "state": "open", "user": {"type": "User"}, "body": f"{NIGHT}\nmine"}
    )
    assert keep_issue(here, "about to\n", urgent=False) == "same"
    assert keep_issue(here, "ended\n", urgent=True) == "opened"
    assert keep_issue(here, "ended\n", urgent=True) == "same"
    assert keep_issue(here, "ended, too old\n", urgent=True) == "changed"
    assert keep_issue(here, "nothing\n", urgent=False) == "closed"
    assert [issue["state"] for issue in github.issues] == ["open", "closed"]
    assert github.issues[0]["body"] == f"{NIGHT}\nmine"


def test_what_github_could_not_answer_is_asked_again_and_what_it_refuses_is_said(
    github: Any, here: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trunkline.forge.github._PAUSE_SECONDS", 0.0)
    github.pull_request(7, HEAD)
    github.failing = [502, 503]
    assert run_of(here, 1007).head == HEAD
    github.failing = [502, 503, 504]
    with pytest.raises(FatalError, match=r"refused GET acme/calls/actions/runs/1007: 504"):
        run_of(here, 1007)
    # A write that failed may have been done: it is not repeated.
    github.failing = [502]
    with pytest.raises(FatalError, match="refused POST acme/calls/issues: 502"):
        here.send("POST", "issues", {})
    assert github.failing == []
    with pytest.raises(FatalError, match="401 Bad credentials"):
        github_here({**github.environment(), "GH_TOKEN": "another"}).get("issues")
    nobody = github_here({**github.environment(), "GITHUB_API_URL": "http://127.0.0.1:9"})
    with pytest.raises(FatalError, match="GitHub is out of reach"):
        nobody.get("issues")


@pytest.mark.parametrize("missing", ["GITHUB_REPOSITORY", "GH_TOKEN"])
def test_what_is_missing_on_a_laptop_is_named(github: Any, missing: str) -> None:
    environment = {key: value for key, value in github.environment().items() if key != missing}
    with pytest.raises(FatalError, match=f"^set {missing} to"):
        github_here(environment)
