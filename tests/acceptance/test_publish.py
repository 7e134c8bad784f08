"""`trunkline publish` on the starter tenants: from YAML in git to a store, and what stops it."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from trunkline.commands.main import run
from trunkline_runtime.table.exclusive import exclusive

TOP = Path(__file__).parents[2]
TENANTS = ["atlas-research", "harbor-medical", "northwind-energy"]
FLOW = Path("flows/northwind-energy/overdue-invoice.yaml")


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Trunkline = Callable[..., Ran]


def copy_to(folder: Path) -> Path:
    """A repository with the starter tenants, no git."""
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, folder / part)
    return folder


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("TRUNKLINE_STORE", raising=False)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    return copy_to(tmp_path / "repository")


@pytest.fixture
def trunkline(repository: Path, capsys: pytest.CaptureFixture[str]) -> Trunkline:
    """Runs a command on the repository."""

    def command(*arguments: object) -> Ran:
        code = run(["-C", str(repository), *map(str, arguments)])
        return Ran(code, *capsys.readouterr())

    return command


def git(repository: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.com")
    command = ["git", "-C", str(repository), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def change(repository: Path) -> None:
    """One word of one flow."""
    flow = repository / FLOW
    text = flow.read_text()
    flow.write_text(text.replace("instructions: ", "instructions: Kindly. ", 1))
    assert flow.read_text() != text


def releases(store: Path) -> dict[str, bytes]:
    """Every release of a store, and all that it is made of; what channels say of it depends on
    who published when.
    """
    found: dict[str, bytes] = {}
    for layout in store.glob("*/index.json"):
        for entry in json.loads(layout.read_bytes())["manifests"]:
            tag = entry["annotations"]["org.opencontainers.image.ref.name"]
            if not tag.startswith("channels"):
                found[f"{layout.parent.name}:{tag}"] = manifest = blob(layout, entry)
                named = json.loads(manifest)
                for each in (named["config"], *named["layers"]):
                    found[each["digest"]] = blob(layout, each)
    return found


def blob(layout: Path, named: dict[str, str]) -> bytes:
    return (layout.parent / "blobs" / named["digest"].replace(":", "/")).read_bytes()


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_starter_tenants_are_released_and_tagged(repository: Path, trunkline: Trunkline) -> None:
    git(repository, "init", "--quiet")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "first")
    ran = trunkline("publish", "--format", "json")
    told = json.loads(ran.out)
    assert (ran.code, told["commit"]) == (0, git(repository, "rev-parse", "HEAD"))
    assert told["policy"]["tag"] == "v1"
    assert [(row["tenant"], row["tag"], row["new"]) for row in told["releases"]] == [
        (tenant, "v1", True) for tenant in TENANTS
    ]
    assert git(repository, "tag").split() == ["_policy/v1", *(f"{name}/v1" for name in TENANTS)]
    # The table's digest is the one that compile prints.
    compiled = json.loads(trunkline("compile", "--format", "json").out)
    assert {
        f"{row['tenant']}/{flow}": digest
        for row in told["releases"]
        for flow, digest in row["flows"].items()
    }.items() <= _digests(compiled).items()


def _digests(compiled: object) -> dict[str, str]:
    """`tenant/flow` → digest, wherever compile's JSON holds a flow."""
    found: dict[str, str] = {}
    if isinstance(compiled, dict):
        if {"tenant", "flow", "digest"} <= compiled.keys():
            found[f"{compiled['tenant']}/{compiled['flow']}"] = compiled["digest"]
        compiled = list(compiled.values())
    if isinstance(compiled, list):
        for each in compiled:
            found |= _digests(each)
    return found


def test_text_says_what_is_new_and_what_was_left(repository: Path, trunkline: Trunkline) -> None:
    first = trunkline("publish")
    assert first.out.count("  new\n") == 4
    assert "note: no git commit was found" in first.out
    assert trunkline("publish").out.count("  unchanged\n") == 4
    change(repository)
    third = trunkline("publish").out
    assert (third.count("  new\n"), third.count("  unchanged\n")) == (1, 3)
    assert "northwind-energy  v2  sha256:" in third


def test_a_dirty_tree_is_said(repository: Path, trunkline: Trunkline) -> None:
    git(repository, "init", "--quiet")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "first")
    change(repository)
    out = trunkline("publish").out
    sha = git(repository, "rev-parse", "HEAD")
    assert f"note: the working tree differs from its commit: {sha}-dirty is recorded" in out
    assert git(repository, "tag") == ""


def test_an_error_anywhere_publishes_nothing(repository: Path, trunkline: Trunkline) -> None:
    flow = repository / FLOW
    flow.write_text(flow.read_text().replace("start: ", "start: no_such_", 1))
    ran = trunkline("publish", "--tenant", "harbor-medical")
    assert ran.code == 1
    assert "error TL103" in ran.out
    assert "nothing was published" in ran.err
    assert json.loads(trunkline("publish", "--format", "json").out)["summary"]["error"] >= 1
    assert not (repository / "build").exists()


def test_one_tenant_alone(repository: Path, trunkline: Trunkline, tmp_path: Path) -> None:
    store = tmp_path / "store"
    told = json.loads(
        trunkline("publish", "--to", store, "--tenant", "harbor-medical", "--format", "json").out
    )
    assert [row["tenant"] for row in told["releases"]] == ["harbor-medical"]
    assert sorted(path.name for path in store.iterdir()) == [".lock", "_policy", "harbor-medical"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tenant", "harbour-medical"], "no tenant 'harbour-medical' in flows/. Did you mean"),
        (["--to", "flows"], "is not a store: "),
        (["--to", "flows/harbor-medical/tenant.yaml"], "is a file, not a store"),
        (["--to", "/proc/nowhere"], "can't be written: "),
    ],
)
def test_wrong_usage_writes_nothing(
    repository: Path,
    trunkline: Trunkline,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(repository)
    before = files(repository)
    ran = trunkline("publish", *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert files(repository) == before


def test_the_second_of_two_says_so(repository: Path, trunkline: Trunkline, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert trunkline("publish", "--to", store).code == 0
    before = files(store)
    change(repository)
    with exclusive(store):
        ran = trunkline("publish", "--to", store)
    assert (ran.code, ran.out) == (1, "")
    assert f"another publish to {store} is running" in ran.err
    assert files(store) == before


def test_two_machines_write_the_same_bytes(repository: Path, tmp_path: Path) -> None:
    """Another home, time zone, locale, umask, hash seed, cache, and other line ends and comments;
    a clone in another folder, with files of another age in another order, on the same commit.
    """
    other = copy_to(tmp_path / "else where" / "Répo")
    flow = other / FLOW
    flow.write_bytes(b"# another comment\r\n" + flow.read_bytes().replace(b"\n", b"\r\n"))
    for number, path in enumerate(sorted(other.rglob("*.yaml"), reverse=True)):
        data = path.read_bytes()
        path.unlink()
        path.write_bytes(data)
        os.utime(path, (number, number))
    trunkline = Path(sys.executable).with_name("trunkline")
    machines: list[tuple[Path, dict[str, str], int]] = [
        (repository, {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"}, 0o022),
        (
            other,
            {"PYTHONHASHSEED": "2", "TZ": "Pacific/Kiritimati", "LC_ALL": "C.UTF-8", "LANG": "tr"},
            0o077,
        ),
    ]
    for root, parts, umask in machines:
        home = tmp_path / f"home {umask}"
        home.mkdir()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("LC_")},
            **parts,
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "TRUNKLINE_CACHE_DIR": str(home / "graphs"),
            "COLUMNS": str(40 + umask),
        }
        subprocess.run(
            [trunkline, "-C", root, "publish"],
            env=environment,
            umask=umask,
            check=True,
            capture_output=True,
        )
    mine, theirs = (releases(root / "build/store") for root in (repository, other))
    assert mine == theirs
    assert {"northwind-energy:v1", "_policy:v1"} <= mine.keys()


def test_an_address_that_is_no_registry_becomes_no_folder(
    repository: Path, trunkline: Trunkline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository)
    before = sorted(repository.iterdir())
    ran = trunkline("publish", "--to", "https://ghcr.io/me/x")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "a store is a folder or oci://HOST/PREFIX" in ran.err
    assert sorted(repository.iterdir()) == before
