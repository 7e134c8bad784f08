"""The whole road of a change: pull request, check, comment, merge, release, night."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
TENANTS = ("atlas-research", "harbor-medical", "northwind-energy")
FIRST = {f"{name}/v1" for name in ("_policy", *TENANTS)}
GREETING = "Ask whether now is a good time."


def heard(body: str) -> str:
    """The new words of a word diff."""
    return " ".join(re.sub(r"<del>.*?</del>|</?ins>", "", body).split())


def test_from_a_pull_request_to_the_releases_of_what_it_changed(
    forge: Any, registry: str, tmp_path: Path
) -> None:
    key = tmp_path / "release.pem"
    assert forge.run("trunkline", "key", "new", str(key)).returncode == 0
    forge.runner.settings = {
        "vars.TRUNKLINE_STORE": registry,
        "secrets.TRUNKLINE_SIGNING_KEY": key.read_text(),
    }

    # A pull request is checked, compared, commented and merged; all that there is is released.
    merge = forge.propose(1, GREETING, "Ask whether this is a good time.")
    flows, base = forge.runner.run("check", "flows", merge), forge.judge(merge)
    assert flows.failed is None, flows.output
    assert base.failed is None, base.output
    changes = json.loads(base.artifact)["changes"]
    assert {(one["tenant"], one["flow"]) for one in changes} == {
        ("northwind-energy", "overdue-invoice")
    }
    assert "Ask whether this is a good time" in heard(base.summary)
    commented = forge.comment(1, base)
    assert commented.failed is None, commented.output
    (comment,) = forge.github.comments[1]
    assert "Ask whether this is a good time" in heard(comment["body"])
    assert forge.github.labels[1] == [f"calls:{changes[0]['level']}"]
    published = forge.merge(merge)
    assert published.failed is None, published.output
    assert forge.tags() == dict.fromkeys(FIRST, merge)
    assert set(forge.github.releases) == FIRST
    attested = published.artifact.decode()
    assert {line.split("  ")[1] for line in attested.splitlines()} == FIRST

    # A second one, of one tenant, releases exactly that one, with what changed as its notes.
    merge = forge.propose(2, "Ask whether this is a good time.", "Ask if they can talk.")
    published = forge.merge(merge)
    assert published.failed is None, published.output
    assert set(forge.tags()) - FIRST == {"northwind-energy/v2"}
    assert set(forge.github.releases) - FIRST == {"northwind-energy/v2"}
    notes = forge.github.releases["northwind-energy/v2"]["body"]
    assert "Ask if they can talk" in heard(notes)

    # A third, of a comment in the file, releases nothing, and says so before it is merged.
    merge = forge.propose(3, "nodes:\n", "nodes:  # what is said\n")
    base = forge.judge(merge)
    assert base.failed is None, base.output
    assert json.loads(base.artifact)["changes"] == []
    assert forge.comment(3, base).failed is None
    assert forge.github.labels[3] == ["calls:none"]
    before = forge.tags()
    assert forge.merge(merge).failed is None
    assert forge.publish(merge).failed is None
    assert forge.tags() == before

    # The runtime pulls what main has released, and believes what the publisher's key signed.
    pulled = forge.run(
        *("env", f"TRUNKLINE_TRUSTED_KEYS={key}.pub", "trunkline-runtime", "pull"),
        *("northwind-energy", "--from", registry, "--into", str(tmp_path / "cache")),
    )
    assert pulled.returncode == 0, pulled.stderr
    assert "v2" in pulled.stdout
    nightly = forge.runner.run("nightly", "nightly", merge)
    assert nightly.failed is None, nightly.output
    assert forge.git("ls-tree", "-r", "origin/store") == ""  # the branch is for those without one


def test_an_old_run_that_is_started_again_brings_nothing_back(forge: Any, tmp_path: Path) -> None:
    old = forge.git("rev-parse", "origin/main")
    new = forge.propose(1, GREETING, "Ask if they can talk.")
    published = forge.merge(new)
    assert published.failed is None, published.output
    before = forge.tags()
    store = tmp_path / "pulled-from"
    forge.git("clone", "--quiet", "--branch", "store", str(forge.remote), str(store))
    pulled = forge.run(
        *("trunkline-runtime", "pull", "northwind-energy"),
        *("--from", str(store), "--into", str(tmp_path / "cache")),
    )
    assert pulled.returncode == 0, pulled.stderr
    again = forge.publish(old)
    assert again.failed == "Refuse to go back behind a release"
    assert "publish from the tip of main" in again.output
    assert forge.tags() == before
    nightly = forge.runner.run("nightly", "nightly", new)
    assert nightly.failed is None, nightly.output
    assert forge.github.issues == []


def test_a_main_that_nobody_published_is_told_at_night_until_it_is(forge: Any) -> None:
    main = forge.git("rev-parse", "origin/main")
    nightly = forge.runner.run("nightly", "nightly", main)
    assert nightly.failed == "Look for what ran out"
    assert "- northwind-energy has never been released" in nightly.summary
    (issue,) = forge.github.issues
    assert issue["state"] == "open"
    assert "northwind-energy has never been released" in issue["body"]
    assert forge.publish(main).failed is None
    assert forge.runner.run("nightly", "nightly", main).failed is None
    assert issue["state"] == "closed"


def test_a_pull_request_does_not_edit_its_own_judge(forge: Any) -> None:
    """It takes a proof out of the flow and the rule that asks for it out of the policy."""
    forge.propose(1, "        requires: [identity_verified]\n", "")
    policy = forge.clone / "policy"
    (policy / "requirements.yaml").write_text("schema_version: 1\nrequirements: []\n")
    shutil.rmtree(policy / "tests")  # they would tell
    own = forge.run("trunkline", "check")
    assert own.returncode == 0, own.stdout

    def judged() -> Any:
        forge.git("add", "--all")
        forge.git("commit", "--quiet", "--amend", "--message", "faster")
        forge.git("push", "--quiet", "--force", "origin", "HEAD:refs/pull/1/merge")
        return forge.judge(forge.git("rev-parse", "HEAD"))

    base = judged()
    assert base.failed == "Show it, and stop at a breaking change that is not accepted"
    assert "breaking" in base.summary

    # Even one that compliance has accepted waits for the rule to be changed on main first.
    breaking = {
        one["fingerprint"]
        for one in json.loads(base.artifact)["changes"]
        if one["level"] == "breaking"
    }
    rows = [
        f'  - {{fingerprint: "{one}", reason: a trial, approver: compliance}}\n'
        for one in sorted(breaking)
    ]
    (policy / "accepted.yaml").write_text(f"schema_version: 1\naccepted:\n{''.join(rows)}")
    base = judged()
    assert base.failed == "Check every flow against it", base.output
    assert "TL401" in base.output


def test_another_repository_has_all_this_from_the_action(
    tmp_path: Path, github: Any, forge_of: Callable[[Path], Any]
) -> None:
    """One that holds only flows/, catalog/ and policy/."""
    clone = tmp_path / "clone"
    for name in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / name, clone / name)
    forge = forge_of(clone)
    here, store = {"fetch-depth": "0"}, {"ref": "store", "path": "store"}
    merge = forge.propose(1, GREETING, "Ask if they can talk.")
    checked = forge.runner.act("check", merge, here)
    assert checked.failed is None, checked.output
    assert "Ask if they can talk" in heard(checked.summary)
    assert [one["tenant"] for one in json.loads(checked.artifact)["changes"]] == [
        "northwind-energy"
    ]
    forge.git("push", "--quiet", "origin", f"{merge}:refs/heads/main")
    published = forge.runner.act("publish", merge, here, store)
    assert published.failed is None, published.output
    assert set(forge.tags()) == FIRST
    assert set(github.releases) == FIRST
    nightly = forge.runner.act("nightly", merge, here, store)
    assert nightly.failed is None, nightly.output
    assert nightly.summary == "Nothing ran out or drifted apart.\n"


def test_what_the_docs_say_to_try_on_a_laptop_runs_there(forge: Any) -> None:
    (forge.clone / ".venv").symlink_to(Path(forge.run("which", "trunkline").stdout).parents[1])
    for word in ("trunkline check  ", "diff origin/main", "git restore", "codeowners --check"):
        done = forge.documented(word)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "too old since" in forge.documented("nightly --at").stdout
    assert forge.git("status", "--porcelain") == ""
