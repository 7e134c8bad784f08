"""`trunkline channel` and `trunkline key` on the starter tenants, in a registry."""

import json
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from trunkline.commands.main import run
from trunkline_runtime.commands.main import run as run_runtime
from trunkline_runtime.table.exclusive import exclusive

TOP = Path(__file__).parents[2]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The starter tenants in git, published nowhere."""
    for name in ("TRUNKLINE_STORE", "TRUNKLINE_SIGNING_KEY", "TRUNKLINE_TRUSTED_KEYS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_ACTOR", "ada")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    folder = tmp_path / "repository"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, folder / part)
    git(folder, "init", "--quiet")
    return folder


def git(repository: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Grace", "-c", "user.email=g@example.com")
    command = ["git", "-C", str(repository), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def commit(repository: Path, message: str, path: str = "", old: str = "", new: str = "") -> str:
    if path:
        file = repository / path
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new, 1))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--allow-empty", "--message", message)
    return git(repository, "rev-parse", "HEAD")


@pytest.fixture
def trunkline(repository: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*arguments: object) -> Ran:
        code = run(["-C", str(repository), *map(str, arguments)])
        return Ran(code, *capsys.readouterr())

    return command


@pytest.fixture
def runtime(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "state"))

    def command(*arguments: object) -> Ran:
        code = run_runtime(list(map(str, arguments)))
        return Ran(code, *capsys.readouterr())

    return command


def stable(runtime: Run, store: object, tenant: str) -> str:
    told = json.loads(runtime("pull", tenant, "--from", store, "--format", "json").out)
    return str(told["tag"])


def test_every_tenant_that_a_commit_changed_goes_back_at_once(
    repository: Path, trunkline: Run, runtime: Run, registry: str, tmp_path: Path
) -> None:
    """A tool that two tenants use gets worse; the third goes on untouched."""
    commit(repository, "first")
    assert trunkline("publish", "--to", registry).code == 0
    bad = commit(
        repository,
        "a worse tool",
        "catalog/tools/billing/get_invoice.yaml",
        "timeout_seconds: ",
        "timeout_seconds: 1",
    )
    told = json.loads(trunkline("publish", "--to", registry, "--format", "json").out)
    changed = [row["tenant"] for row in told["releases"] if row["new"]]
    assert changed == ["harbor-medical", "northwind-energy"]
    flow = "flows/atlas-research/assistant.yaml"
    commit(repository, "something else", flow, "say: ", "say: Well. ")
    told = json.loads(trunkline("publish", "--to", registry, "--format", "json").out)
    before = {row["tenant"]: row["tag"] for row in told["releases"]}
    assert set(before.values()) == {"v2"}
    arguments = ("channel", "--all", "--changed-by", bad, "--to", registry, "--reason", "SMS late")
    ran = trunkline(*arguments)
    assert (ran.code, ran.err) == (0, "")
    assert [line.split() for line in ran.out.splitlines()] == [
        [*f"{tenant} stable v2 → v1 (100%) held until a pull request changes it".split()]
        for tenant in changed
    ]
    for tenant, tag in before.items():
        assert stable(runtime, registry, tenant) == ("v1" if tenant in changed else tag)
    again = trunkline(*arguments)
    assert again.code == 0
    assert again.out.count(
        f"left as it is: it takes v1, which was made without {bad[:12]}\n"
    ) == len(changed)
    trunkline("publish", "--to", tmp_path / "store", "--tenant", "harbor-medical")
    part = ("channel", "--all", "--changed-by", bad, "--to", tmp_path / "store", "--reason", "late")
    lines = trunkline(*part).out.splitlines()
    assert [line.split()[0] for line in lines] == changed
    assert lines[1].endswith("left as it is: the store holds no release of it")


def test_who_and_why_are_on_record(
    repository: Path, trunkline: Run, runtime: Run, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    commit(repository, "first")
    trunkline("publish", "--to", store)
    commit(
        repository,
        "Go back: callers are cut off",
        "flows/harbor-medical/channels.yaml",
        "release: latest",
        "release: v1",
    )
    trunkline("publish", "--to", store)
    sha = git(repository, "rev-parse", "HEAD")[:12]
    shown = runtime("verify", "harbor-medical", "--from", store).out
    assert f"by Grace: Go back: callers are cut off ({sha})" in shown
    told = json.loads(
        trunkline(
            *("channel", "harbor-medical", "canary", "v1", "--percent", "5", "--to", store),
            *("--reason", "to see", "--format", "json"),
        ).out
    )
    (row,) = told["channels"]
    assert row["before"] is None
    assert row["after"]["hold"] is True
    assert (row["after"]["by"], row["after"]["reason"]) == ("ada", "to see")
    out = trunkline("publish", "--to", store).out
    assert "canary takes v1 (5%)  held" in out
    assert "note: harbor-medical canary is held on v1 by ada (to see) until a pull" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["acme", "stable"], "name a tenant, a channel and a tag"),
        (
            ["nobody", "stable", "v1"],
            "'nobody'; its tenants: atlas-research, harbor-medical, north",
        ),
        (["harbor-medical", "stable", "v9"], "no release v9 of harbor-medical; the newest is v1"),
        (["_policy", "newest", "v1"], "a policy only moves forward"),
        (["--all"], "--all needs --changed-by REV"),
        (["--all", "a", "b", "--changed-by", "HEAD"], "with --all, name at most a channel"),
        (["--all", "--changed-by", "nonsense"], "git knows no revision 'nonsense'"),
        (["--changed-by", "HEAD"], "say --all with it"),
        (["harbor-medical", "stable", "v1", "--reason", " "], "--reason is empty"),
        (["harbor-medical", "stabel", "v1"], "no channel 'stabel'. Did you mean `stable`?"),
        (["harbor-medical", "beta", "v1"], "named in flows/harbor-medical/channels.yaml first"),
        (
            ["harbor-medicl", "stable", "v1"],
            "'harbor-medicl'; its tenants: harbor-medical, atlas-r",
        ),
    ],
)
def test_wrong_usage_changes_nothing(
    repository: Path, trunkline: Run, tmp_path: Path, arguments: list[str], said: str
) -> None:
    store = tmp_path / "store"
    commit(repository, "first")
    trunkline("publish", "--to", store)
    before = (store / "harbor-medical/index.json").read_bytes()
    reason = [] if "--reason" in arguments else ["--reason", "x"]
    ran = trunkline("channel", *arguments, "--to", store, *reason)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert (store / "harbor-medical/index.json").read_bytes() == before


def test_a_channel_that_the_file_names_may_be_made_at_once(
    repository: Path, trunkline: Run, tmp_path: Path
) -> None:
    """Named in a pull request, not published yet: a hand may already point it."""
    store = tmp_path / "store"
    commit(repository, "first")
    trunkline("publish", "--to", store)
    with (repository / "flows/harbor-medical/channels.yaml").open("a") as file:
        file.write("beta: {release: manual}\n")
    ran = trunkline("channel", "harbor-medical", "beta", "v1", "--to", store, "--reason", "x")
    assert (ran.code, ran.err) == (0, "")


def test_a_store_that_is_none_is_not_made(trunkline: Run, tmp_path: Path) -> None:
    store = tmp_path / "nowhere"
    ran = trunkline("channel", "harbor-medical", "stable", "v1", "--to", store, "--reason", "x")
    assert (ran.code, ran.out) == (2, "")
    assert f"there is no store {store}; name the folder that publish wrote to" in ran.err
    assert not store.exists()
    store.mkdir()
    ran = trunkline("channel", "harbor-medical", "stable", "v1", "--to", store, "--reason", "x")
    assert "holds no release of 'harbor-medical', nor of any other tenant" in ran.err


def test_an_unknown_tenant_of_a_registry(trunkline: Run, registry: str) -> None:
    trunkline("publish", "--to", registry, "--tenant", "northwind-energy")
    ran = trunkline("channel", "northwind", "stable", "v1", "--to", registry, "--reason", "x")
    assert "holds no release of 'northwind'; its tenants: northwind-energy" in ran.err


@pytest.mark.parametrize("command", ["channel", "drift", "announce"])
def test_a_store_that_is_not_named_may_stand_in_the_environment(
    trunkline: Run, command: str
) -> None:
    ran = trunkline(command)
    assert (ran.code, "(env var: 'TRUNKLINE_STORE')" in ran.err) == (2, True)


def test_a_folder_that_is_no_store_says_both_ways_to_name_one(
    trunkline: Run, repository: Path
) -> None:
    for place in (repository / "flows", repository / "flows/harbor-medical/tenant.yaml"):
        ran = trunkline("publish", "--to", place)
        assert (ran.code, "with --to or TRUNKLINE_STORE" in ran.err) == (2, True)


def test_a_commit_that_changes_no_call(repository: Path, trunkline: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    commit(repository, "first")
    trunkline("publish", "--to", store)
    commit(repository, "nothing")
    ran = trunkline("channel", "--all", "--changed-by", "HEAD", "--to", store, "--reason", "x")
    assert (ran.code, "changes the calls of no tenant" in ran.err) == (2, True)
    # The first commit changed every tenant, and none has a release without it.
    ran = trunkline("channel", "--all", "--changed-by", "HEAD^", "--to", store, "--reason", "x")
    assert (ran.code, ran.out.count("it takes v1, and no earlier release was made without")) == (
        1,
        3,
    )


def test_a_release_that_no_commit_describes_is_not_chosen(
    repository: Path, trunkline: Run, tmp_path: Path
) -> None:
    """v2 holds the bad change already, and its record names the commit before it."""
    store = tmp_path / "store"
    commit(repository, "first")
    tenants = ("--tenant", "harbor-medical", "--tenant", "northwind-energy")
    trunkline("publish", "--to", store, "--tenant", "northwind-energy")
    tool = repository / "catalog/tools/billing/get_invoice.yaml"
    tool.write_text(tool.read_text().replace("timeout_seconds: ", "timeout_seconds: 1", 1))
    trunkline("publish", "--to", store, *tenants)
    bad = commit(repository, "a worse tool")
    assert trunkline("publish", "--to", store, *tenants).out.count("unchanged") == 3
    for folder in ("northwind-energy", "harbor-medical"):
        for flow in sorted((repository / "flows" / folder).glob("*.yaml")):
            flow.write_text(flow.read_text().replace("say: ", "say: Well. "))
    commit(repository, "other words")
    trunkline("publish", "--to", store, *tenants)
    ran = trunkline("channel", "--all", "--changed-by", bad, "--to", store, "--reason", "x")
    assert (ran.code, ran.err) == (1, "")
    assert [" ".join(line.split()) for line in ran.out.splitlines()] == [
        "harbor-medical left as it is: it takes v2, and no earlier release is known to be without "
        f"{bad[:12]}; v1: made of changes that no commit holds. Name a tag yourself",
        "northwind-energy stable v3 → v1 (100%) held until a pull request changes it",
        "passed over v2: made of changes that no commit holds",
    ]


def test_what_a_channel_takes_is_left_only_if_it_is_without_the_commit(
    repository: Path, trunkline: Run, tmp_path: Path
) -> None:
    """A newer release of another branch, without it, is no reason to stay on one with it."""
    store = tmp_path / "store"
    flow = "flows/northwind-energy/overdue-invoice.yaml"
    first = commit(repository, "first")
    publish = ("publish", "--to", store, "--tenant", "northwind-energy")
    trunkline(*publish)
    bad = commit(repository, "worse words", flow, "say: ", "say: Well. ")
    trunkline(*publish)
    git(repository, "checkout", "--quiet", "-b", "other", first)
    commit(repository, "other words", flow, "say: ", "say: Hm. ")
    trunkline(*publish)
    by_hand = ("--to", store, "--reason", "x")
    trunkline("channel", "northwind-energy", "stable", "v2", *by_hand)
    ran = trunkline("channel", "--all", "--changed-by", bad, *by_hand)
    assert (ran.code, "stable  v2 → v1 (100%)" in ran.out) == (0, True)


def test_while_another_publish_runs(repository: Path, trunkline: Run, tmp_path: Path) -> None:
    store = tmp_path / "store"
    commit(repository, "first")
    trunkline("publish", "--to", store)
    with exclusive(store):
        ran = trunkline("channel", "harbor-medical", "stable", "v1", "--to", store, "--reason", "x")
    assert (ran.code, ran.out) == (1, "")
    assert f"another publish to {store} is running" in ran.err


def test_a_key_from_its_making_to_a_refusal(
    repository: Path,
    trunkline: Run,
    runtime: Run,
    tmp_path: Path,
    registry: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = tmp_path / "release.pem"
    made = trunkline("key", "new", key)
    id = made.out.split()[1]
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    again = trunkline("key", "new", key)
    assert (again.code, "is there already, and a key is never overwritten" in again.err) == (
        2,
        True,
    )
    assert trunkline("key", "show").code == 2
    monkeypatch.setenv("TRUNKLINE_SIGNING_KEY", str(key))
    assert (
        trunkline("key", "show").out == f"key {id}\n{key.with_name('release.pem.pub').read_text()}"
    )
    out = trunkline("publish", "--to", registry).out
    assert f"note: signed by the key {id}" in out
    monkeypatch.setenv("TRUNKLINE_TRUSTED_KEYS", f"{key}.pub")
    assert stable(runtime, registry, "harbor-medical") == "v1"
    assert f"signed by {id}" in runtime("verify", "harbor-medical").out
    other = tmp_path / "other.pem"
    trunkline("key", "new", other)
    monkeypatch.setenv("TRUNKLINE_TRUSTED_KEYS", f"{other}.pub")
    ran = runtime("pull", "harbor-medical", "--from", registry)
    assert (ran.code, ran.out) == (1, "")
    assert f"signed by the key {id}, which is not trusted here" in ran.err
    ran = runtime("verify", "harbor-medical")
    assert ran.code == 1
    assert "`trunkline publish --resign`" in ran.out
    key.chmod(0o644)
    ran = trunkline("publish", "--to", registry)
    assert (ran.code, f"others can read the private key {key}" in ran.err) == (2, True)


def test_follow_once_brings_every_tenant_of_the_store(
    repository: Path, trunkline: Run, runtime: Run, tmp_path: Path, registry: str
) -> None:
    trunkline("publish", "--to", registry)
    ran = runtime("follow", "--from", registry, "--once")
    assert ran.code == 0
    told = json.loads(runtime("pins", "--format", "json").out)
    rows = [(row["tenant"], row["channel"], row["tag"]) for row in told["current"]]
    assert rows == [
        ("_policy", "newest", "v1"),
        ("atlas-research", "stable", "v1"),
        ("harbor-medical", "stable", "v1"),
        ("northwind-energy", "stable", "v1"),
    ]
    ran = runtime("follow", "nobody", "--from", registry, "--once")
    assert ran.code == 2
    assert "holds a release of 'nobody'; the store's tenants: atlas-research" in ran.err
