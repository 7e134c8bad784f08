"""Runs the workflows' own `run:` steps, in order, in fresh clones of a bare repository.

What is an action of others is played: a checkout is a clone, an upload is kept for the comment.
`gh` and `make` are stand-ins for the download of the tooling and its installation, which takes
this environment. All else is what runs on GitHub, and on a laptop.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[4]
VENV = Path(sys.executable).parent.parent
FLOW = Path("flows/northwind-energy/overdue-invoice.yaml")


def call(
    cwd: Path, *command: str, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GH_"))}
    who = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "t"), ("EMAIL", "t@example.com"))
    }
    return subprocess.run(
        command,
        cwd=cwd,
        env={**clean, **who, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def git(cwd: Path, *arguments: str) -> str:
    done = call(cwd, "git", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@dataclass
class Job:
    """What became of one job: its steps with their exit codes, and all that they printed."""

    steps: list[tuple[str, int]] = field(default_factory=list)
    output: str = ""
    summary: str = ""
    artifact: bytes | None = None

    @property
    def failed(self) -> str | None:
        """The first step that failed."""
        return next((name for name, code in self.steps if code), None)


@dataclass
class Runner:
    """Runs jobs of the workflow files of a commit, as GitHub would."""

    remote: Path
    folder: Path
    github: Any
    jobs: int = 0
    settings: dict[str, str] = field(default_factory=dict)  # the repository's vars and secrets

    def run(self, workflow: str, job: str, sha: str, **event: str) -> Job:
        """Runs one job at the commit `sha`; `event` gives the values of its expressions."""
        text = git(self.remote, "show", f"{sha}:.github/workflows/{workflow}.yml")
        found = yaml.load(text, yaml.BaseLoader)["jobs"][job]
        values = {
            "github.token": self.github.environment()["GH_TOKEN"],
            "vars.TRUNKLINE_STORE || 'store'": self.settings.get("vars.TRUNKLINE_STORE", "store"),
            **self.settings,
            **event,
        }
        return self._steps(found["steps"], self._values(found.get("env", {}), values), values, sha)

    def act(self, what: str, sha: str, *checkouts: Mapping[str, str]) -> Job:
        """Runs action.yml for another repository, whose job has these checkouts before it."""
        found = yaml.load((ROOT / "action.yml").read_text(encoding="utf-8"), yaml.BaseLoader)
        values = {
            "inputs.base || github.event.merge_group.base_sha || 'HEAD^1'": "HEAD^1",
            "inputs.run == 'check' && 'setup' || 'tooling'": "setup"
            if what == "check"
            else "tooling",
            "inputs.store": "store",
            "inputs.token": self.github.environment()["GH_TOKEN"],
        }
        before = [{"name": "", "uses": "actions/checkout@v", "with": given} for given in checkouts]
        mine = [
            {**step, "if": rest}
            for step in found["runs"]["steps"]
            if (rest := _for(what, step.get("if", ""))) is not None
        ]
        place = self.folder / "action"
        place.mkdir(parents=True, exist_ok=True)
        return self._steps([*before, *mine], {"GITHUB_ACTION_PATH": str(place)}, values, sha)

    def _steps(
        self,
        steps: Sequence[Mapping[str, Any]],
        given: Mapping[str, str],
        values: Mapping[str, str],
        sha: str,
    ) -> Job:
        self.jobs += 1
        room = self.folder / f"job-{self.jobs}"
        workspace = room / "workspace"
        workspace.mkdir(parents=True)
        summary = room / "summary"
        summary.touch()
        token_free = {k: v for k, v in self.github.environment().items() if k != "GH_TOKEN"}
        environment = {
            **{"CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_SHA": sha, **token_free},
            "GITHUB_STEP_SUMMARY": str(summary),
            "PATH": f"{self._stand_ins(room)}:{os.environ['PATH']}",
            "TRUNKLINE_CACHE_DIR": str(self.folder / "cache"),
            **given,
        }
        result = Job()
        for step in steps:
            failed = result.failed is not None
            if not _holds(step.get("if"), workspace, values, failed=failed):
                continue
            if "uses" in step:
                self._play(step, workspace, sha, result)
                code = 0
            else:
                mine = {**environment, **self._values(step.get("env", {}), values)}
                done = call(workspace, "bash", "-e", "-c", step["run"], env=mine)
                result.output += done.stdout + done.stderr
                code = done.returncode
            result.steps.append((step["name"], code))
        result.summary = summary.read_text(encoding="utf-8")
        return result

    def _stand_ins(self, room: Path) -> Path:
        """`gh` serves the tooling of the default branch; `make` takes this environment."""
        folder = room / "bin"
        folder.mkdir()
        scripts = {
            "gh": (
                'case "$*" in "auth "*) exit;; "api repos/"*/tarball/*);; *) exit 4;; esac\n'
                f'git -C "{self.remote}" archive --prefix=x/ --format=tar.gz "${{2##*/}}"\n'
            ),
            "make": f'test "$1" = -C && exec ln -sfn "{VENV}" "$2/.venv"\n',
        }
        for name, script in scripts.items():
            (folder / name).write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
            (folder / name).chmod(0o755)
        return folder

    def _values(self, written: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
        def value(text: str) -> str:
            expression = re.fullmatch(r"\$\{\{ (.+) \}\}", text)
            if expression is None:
                return text
            unset = expression[1].startswith(("vars.", "secrets."))
            return values.get(expression[1], "") if unset else values[expression[1]]

        return {name: value(text) for name, text in written.items()}

    def _play(self, step: Mapping[str, Any], workspace: Path, sha: str, result: Job) -> None:
        action, given = step["uses"].partition("@")[0], step.get("with", {})
        if action == "actions/checkout":
            place = workspace / given.get("path", ".")
            git(workspace, "clone", "--quiet", "--no-checkout", str(self.remote), str(place))
            git(place, "fetch", "--quiet", "origin", "+refs/pull/*:refs/remotes/pull/*")
            git(place, "checkout", "--quiet", given.get("ref", sha))
        elif action.endswith("/.github/actions/setup"):
            assert (workspace / action / "action.yml").is_file()
            (workspace / given.get("directory", ".") / ".venv").symlink_to(VENV)
        elif action == "actions/upload-artifact":
            result.artifact = (workspace / given["path"]).read_bytes()
        elif action == "actions/attest":
            result.artifact = (workspace / given["subject-checksums"]).read_bytes()
        else:
            assert action == "actions/setup-python"


def _for(what: str, condition: str) -> str | None:
    """What is left of a step's condition if the action is asked for `what`; None: not its step."""
    bare = condition.removeprefix("${{ ").removesuffix(" }}")
    parts = [part for part in bare.split(" && ") if part]
    asked = [part for part in parts if part.startswith("inputs.run == ")]
    if asked not in ([], [f"inputs.run == '{what}'"]):
        return None
    return " && ".join(part for part in parts if part not in asked)


def _holds(
    condition: str | None, workspace: Path, values: Mapping[str, str], *, failed: bool
) -> bool:
    """Knows just the conditions that the workflows have."""
    bare = (condition or "").removeprefix("${{ ").removesuffix(" }}")
    if bare == "!cancelled()":
        return True
    if bare == "vars.TRUNKLINE_STORE == ''":
        return not failed and not values.get("vars.TRUNKLINE_STORE")
    if bare == "!startsWith(inputs.store, 'oci://')":
        return not failed and not values["inputs.store"].startswith("oci://")
    hashed = re.fullmatch(r"hashFiles\('([^']+)'\) != ''", bare)
    assert hashed is not None or not bare, condition
    return not failed and (hashed is None or (workspace / hashed[1]).is_file())


@dataclass
class Forge:
    """A bare repository as GitHub keeps it, and a developer's clone of it."""

    remote: Path
    clone: Path
    runner: Runner
    github: Any

    def propose(self, number: int, before: str, after: str) -> str:
        """Pushes a branch with one edit of FLOW; the commit of what GitHub makes of it, a merge."""
        git(self.clone, "checkout", "--quiet", "-B", f"change-{number}", "origin/main")
        text = (self.clone / FLOW).read_text(encoding="utf-8")
        assert before in text
        (self.clone / FLOW).write_text(text.replace(before, after), encoding="utf-8")
        git(self.clone, "commit", "--quiet", "--all", "--message", f"change {number}")
        git(self.clone, "push", "--quiet", "origin", f"change-{number}")
        git(self.clone, "checkout", "--quiet", "--detach", "origin/main")
        git(self.clone, "merge", "--quiet", "--no-ff", "-m", f"merge {number}", f"change-{number}")
        git(self.clone, "push", "--quiet", "origin", f"HEAD:refs/pull/{number}/merge")
        return git(self.clone, "rev-parse", "HEAD")

    def judge(self, merge: str) -> Job:
        """The judgement by the base branch's policy and tooling."""
        base = {"github.event.merge_group.base_sha || 'HEAD^1'": "HEAD^1"}
        return self.runner.run("check", "base", merge, **base)

    def comment(self, number: int, base: Job) -> Job:
        """The comment's run, on the default branch, with what the check handed over."""
        run = self.github.pull_request(number, git(self.clone, "rev-parse", f"change-{number}"))
        if base.artifact is not None:
            self.github.upload(run, base.artifact)
        main = git(self.remote, "rev-parse", "main")
        return self.runner.run(
            "comment", "comment", main, **{"github.event.workflow_run.id": str(run)}
        )

    def merge(self, merge: str) -> Job:
        git(self.clone, "push", "--quiet", "origin", f"{merge}:refs/heads/main")
        git(self.clone, "fetch", "--quiet", "origin")
        return self.publish(merge)

    def publish(self, sha: str) -> Job:
        return self.runner.run("publish", "publish", sha)

    def git(self, *arguments: str) -> str:
        return git(self.clone, *arguments)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """A command in the clone, with the programs of this environment."""
        path = f"{VENV / 'bin'}:{os.environ['PATH']}"
        return call(self.clone, *command, env={"PATH": path})

    def documented(self, word: str) -> subprocess.CompletedProcess[str]:
        """Runs the one command in docs/ci.md that has this word."""
        blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs/ci.md").read_text(), re.DOTALL)
        (found,) = (line for block in blocks for line in block.splitlines() if word in line)
        return self.run("bash", "-e", "-c", found)

    def tags(self) -> dict[str, str]:
        """The tags that the remote has, and their commits: what is released, whatever the store."""
        listed = git(
            self.remote, "for-each-ref", "--format=%(refname:strip=2) %(objectname)", "refs/tags"
        )
        return dict(line.split(" ") for line in listed.splitlines())


@pytest.fixture
def forge_of(tmp_path: Path, github: Any) -> Callable[[Path], Forge]:
    """Makes the files in a folder the main branch of a bare remote; the store's is empty."""

    def made(clone: Path) -> Forge:
        remote = tmp_path / "remote.git"
        git(clone, "init", "--quiet", "--initial-branch", "main")
        # A symbolic link is no folder for the line in .gitignore.
        (clone / ".git/info/exclude").write_text(".venv\n", encoding="utf-8")
        git(clone, "add", "--all")
        git(clone, "commit", "--quiet", "--message", "as it stands")
        git(tmp_path, "init", "--quiet", "--bare", "--initial-branch", "main", str(remote))
        git(clone, "remote", "add", "origin", str(remote))
        git(clone, "push", "--quiet", "origin", "main")
        forge = Forge(remote, clone, Runner(remote, tmp_path / "jobs", github), github)
        assert forge.documented("hash-object").returncode == 0
        git(clone, "fetch", "--quiet", "origin")
        github.tags = forge.tags
        return forge

    return made


@pytest.fixture
def forge(tmp_path: Path, forge_of: Callable[[Path], Forge]) -> Forge:
    """This repository as it stands, but for its tests and docs."""
    clone = tmp_path / "clone"
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    return forge_of(clone)
