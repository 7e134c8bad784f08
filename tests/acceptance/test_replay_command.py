"""`trunkline-runtime replay`: a real record against a store, a tag, a folder and a revision."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from trunkline.commands.main import run as trunkline
from trunkline_runtime.commands.main import run
from trunkline_runtime.replay import against

ROOT = Path(__file__).parents[2]
TENANT = "northwind-energy"
FLOW = "overdue-invoice"
LABEL = "pays after verification"
GUARD, CLOSED = "if: slots.amount_due > 0.0", "if: slots.amount_due > 5000.0"
WORDS = "Thank you, your payment"


class Place(NamedTuple):
    """A repository whose `main` is what was called and whose `next` has another guard."""

    repository: Path
    store: Path
    record: Path


def git(folder: Path, *arguments: str) -> None:
    author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"]
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        folder = Path(name)
        for variable in [each for each in os.environ if each.startswith("TRUNKLINE_")]:
            patch.delenv(variable)
        patch.setenv("TRUNKLINE_STATE_DIR", str(folder / "state"))
        patch.setenv("GIT_CEILING_DIRECTORIES", name)
        repository, store, record = folder / "repo", folder / "store", folder / "record.json"
        for part in (f"flows/{TENANT}", "flows/shared", "catalog", "policy"):
            shutil.copytree(ROOT / part, repository / part)
        assert trunkline(["-C", str(repository), "publish", "--to", str(store)]) == 0
        git(repository, "init", "-q", "-b", "main")
        git(repository, "add", "-A")
        git(repository, "commit", "-q", "-m", "as it was called")
        flow = repository / f"flows/{TENANT}/{FLOW}.yaml"
        text = flow.read_text()
        assert GUARD in text
        git(repository, "checkout", "-q", "-b", "next")
        flow.write_text(text.replace(GUARD, CLOSED))
        git(repository, "commit", "-q", "-a", "-m", "another guard")
        record.write_text(_called(store))
        yield Place(repository, store, record)


def _called(store: Path) -> str:
    script = ROOT / f"flows/{TENANT}/scenarios/{FLOW}.yaml"
    command = ["call", f"{TENANT}/{FLOW}", "--sandbox", "--format", "json"]
    command += ["--script", str(script), "--scenario", LABEL, "--from", str(store)]
    with redirect_stdout(StringIO()) as out:
        assert run(command) == 0
    return out.getvalue()


Replay = Callable[..., tuple[int, str, str]]


@pytest.fixture
def replay(
    place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Replay:
    for variable in [each for each in os.environ if each.startswith("TRUNKLINE_")]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(place.record.parent / "state"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(place.record.parent))
    monkeypatch.chdir(place.repository)

    def command(*arguments: object, record: Path = place.record) -> tuple[int, str, str]:
        code = run(["replay", str(record), *map(str, arguments)])
        return (code, *capsys.readouterr())

    return command


def test_the_release_that_it_ran_on(place: Place, replay: Replay) -> None:
    code, out, err = replay("--against", place.store)
    assert (code, err) == (0, "")
    assert out.splitlines()[1:] == ["The call goes the same way: 5 steps."]
    code, out, _ = replay("--against", place.store, "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert (told["same"], told["differences"], told["notes"]) == (True, [], [])
    assert (told["tenant"], told["against"]["name"]) == (TENANT, f"{TENANT}:v1")


def test_a_revision_with_another_guard(place: Place, replay: Replay) -> None:
    code, out, err = replay("--against", "next")
    assert (code, err) == (1, "")
    head, step, what, end, note = out.splitlines()
    assert head.endswith("against next")
    assert step.startswith("step 4  state_invoice → pay  (model: ")
    assert what == (
        "    guard: at state_invoice: the exit to pay is closed: this must be true and is not: "
        "slots.amount_due > 5000.0"
    )
    assert end == "The call goes differently from step 4 on."
    assert note.startswith("Note: the release that the call ran on (v1) is not to be had here")
    code, out, _ = replay("--against", "main")
    assert (code, "goes the same way" in out) == (0, True)
    assert not (place.repository / ".git/refs/tags" / TENANT).exists(), "nothing is tagged"


def test_a_folder_and_a_later_release_of_the_store(place: Place, replay: Replay) -> None:
    flow = place.repository / f"flows/{TENANT}/{FLOW}.yaml"
    was = flow.read_text()
    try:
        assert WORDS in was
        flow.write_text(was.replace(CLOSED, GUARD).replace(WORDS, "Many thanks, your payment"))
        code, out, _ = replay("--against", place.repository)
        assert (code, "goes the same way" in out) == (0, True), "words need the old release"
        store = place.store.parent / "later"
        shutil.copytree(place.store, store)
        assert trunkline(["-C", str(place.repository), "publish", "--to", str(store)]) == 0
        code, out, _ = replay("--against", store, "--tag", "v2")
        assert code == 1
        assert "    words: at thanks: say was 'Thank you, your payment" in out
        assert out.splitlines()[-1] == "The call goes the same way in other words."
        assert replay("--against", store, "--tag", "v1")[0] == 0
    finally:
        flow.write_text(was)


def test_a_tag_that_was_pulled(place: Place, replay: Replay, tmp_path: Path) -> None:
    assert run(["pull", f"{TENANT}:v1", "--from", str(place.store), "--into", str(tmp_path)]) == 0
    code, out, _ = replay("--against", "v1", "--into", tmp_path)
    assert (code, out.splitlines()[-1]) == (0, "The call goes the same way: 5 steps.")


def test_a_revision_that_does_not_compile(place: Place, replay: Replay, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(place.repository, broken, ignore=shutil.ignore_patterns(".git"))
    flow = broken / f"flows/{TENANT}/{FLOW}.yaml"
    flow.write_text(flow.read_text().replace("start: greeting", "start: nowhere"))
    code, out, err = replay("--against", broken)
    assert (code, out) == (2, "")
    assert "it does not compile: `trunkline check` says what is wrong" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Missing option '--against'"),
        (["--against", "v7"], "was not pulled to"),
        (["--against", "nothing"], "'nothing' is no store (a folder or oci://HOST/PREFIX), no tag"),
        (["--against", "--help-me"], "is no store and no revision"),
        (["--against", "main", "--tag", "v1"], "--tag names a release of a store"),
        (["--against", "main", "--call", "x"], "holds no call 'x'"),
        (["--against", "flows"], "is not a store"),
    ],
)
def test_wrong_usage(replay: Replay, arguments: list[str], said: str) -> None:
    code, out, err = replay(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_without_the_compiler(
    replay: Replay, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(against.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(against.shutil, "which", lambda name: None)
    code, _, err = replay("--against", "main")
    assert code == 2
    assert "a revision is compiled by `trunkline`, which is not installed here" in err
