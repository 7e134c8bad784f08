"""The runtime's commands on releases: what they print, what they exit with, how they fail."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from trunkline_runtime.commands.main import run
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import current_release
from trunkline_runtime.release.workers import WorkerReport


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Runtime = Callable[..., Ran]


@pytest.fixture
def runtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Runtime:
    """Runs a command with its state in a folder of the test."""
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.delenv("TRUNKLINE_STORE", raising=False)

    def command(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        return Ran(code, *capsys.readouterr())

    return command


def test_pull_says_what_is_current_now(shop: Any, runtime: Runtime, tmp_path: Path) -> None:
    release = shop.publish().releases[0]
    ran = runtime("pull", "acme", "--from", shop.store)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "acme v1 is verified and current",
        f"  digest   {release.digest}",
        "  flows    bill",
        "  channels stable v1",
        "  policy   v1",
        ran.out.splitlines()[5],
        f"  into     {tmp_path}/state/releases",
    ]
    assert ran.out.splitlines()[5].startswith("  fetched  14 blobs, ")


def test_pull_as_json(shop: Any, runtime: Runtime, tmp_path: Path) -> None:
    release = shop.publish().releases[0]
    ran = runtime("pull", "acme:v1", "--from", shop.store, "--into", tmp_path, "--format", "json")
    told = json.loads(ran.out)
    assert told.pop("fetched")["blobs"] == 12
    assert told == {
        "version": 1,
        "tenant": "acme",
        "tag": "v1",
        "digest": release.digest,
        "flows": ["bill"],
        "channels": {"stable": "v1"},
        "left_out": {},
        "policy": "v1",
        "held": 0,
    }


def test_the_store_can_stand_in_the_environment(
    shop: Any, runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.publish()
    monkeypatch.setenv("TRUNKLINE_STORE", str(shop.store))
    assert runtime("pull", "acme").code == 0


def test_a_refused_pull_is_one_line_and_exit_1(shop: Any, runtime: Runtime, blob_of: Any) -> None:
    shop.publish()
    blob = blob_of(shop.store / "acme", "flows/bill.json")
    blob.write_bytes(blob.read_bytes().replace(b"Goodbye", b"Hellooo"))
    ran = runtime("pull", "acme", "--from", shop.store)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert ran.err.startswith(
        f"trunkline-runtime: blob sha256:{blob.name} of acme (flows/bill.json) was altered: "
    )
    rows = json.loads(runtime("pins", "--format", "json").out)["current"]
    assert [row["tenant"] for row in rows] == ["_policy"]  # sound, and newer than none


def test_before_the_first_pull_pins_says_what_to_do(runtime: Runtime) -> None:
    assert runtime("pins").out.startswith("Nothing was pulled yet: trunkline-runtime pull TENANT")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["pull", "acme", "--from", "/nowhere"], "there is no store at /nowhere"),
        (["pull", "acme", "--from", "s3://b/x"], "a store is a folder or oci://HOST/PREFIX"),
        (["follow", "--from", "oci:/b/x", "--once"], "a store is a folder or oci://HOST/PREFIX"),
        (["pull", "acme"], "Missing option '--from'"),
        (["pull", "../acme", "--from", "."], "'../acme' is not the name of a tenant"),
        (["pull", "_policy", "--from", "/nowhere"], "_policy is no tenant"),
        (["pull"], "Missing argument"),
        (["push"], "No such command 'push'"),
        (["verify", "--from", "/nowhere"], "there is no store at /nowhere"),
        (["pins", "--format", "xml"], "'xml' is not one of"),
    ],
)
def test_wrong_usage_is_exit_2(runtime: Runtime, arguments: list[str], said: str) -> None:
    ran = runtime(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.parametrize("command", [["pull", "acme"], ["follow", "--once"]])
@pytest.mark.parametrize("store", ["/nowhere", "s3://b/x"])
def test_a_store_that_nobody_typed_is_told_by_its_variable(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch, command: list[str], store: str
) -> None:
    monkeypatch.setenv("TRUNKLINE_STORE", store)
    ran = runtime(*command)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("(the store is the one of TRUNKLINE_STORE)\n")
    assert "TRUNKLINE_STORE" not in runtime(*command, "--from", store).err
    assert "TRUNKLINE_STORE" not in runtime("pull", "_policy").err, "the store is not at fault"


def test_a_tenant_that_is_nowhere_is_not_followed(
    shop: Any, runtime: Runtime, tmp_path: Path
) -> None:
    """It was mistyped, and would be asked for, for ever."""
    shop.publish()
    ran = runtime("follow", "acme", "acm", "--from", shop.store, "--once")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip() == (
        f"trunkline-runtime: neither the store nor {tmp_path}/state/releases holds a release of "
        "'acm'; the store's tenants: acme, birch"
    )
    assert runtime("pull", "acme", "--from", shop.store).code == 0
    shutil.rmtree(shop.store / "acme")
    assert runtime("follow", "acme", "--from", shop.store, "--once").code == 1, "it was pulled"


def test_a_bug_is_exit_3_without_a_traceback(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(cache: Path) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("trunkline_runtime.commands.pins.overview", fail)
    ran = runtime("pins")
    assert (ran.code, ran.out) == (3, "")
    assert "this is a bug of Trunkline (ZeroDivisionError)" in ran.err
    monkeypatch.setenv("TRUNKLINE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        runtime("pins")


def test_verify_explains_and_exits_1(shop: Any, runtime: Runtime, blob_of: Any) -> None:
    shop.publish()
    sound = runtime("verify", "--from", shop.store)
    assert sound.code == 0
    assert sound.out.splitlines()[-1] == "6 sound, 0 refused"
    blob = blob_of(shop.store / "birch", "tenant.json")
    blob.unlink()
    ran = runtime("verify", "--from", shop.store)
    assert ran.code == 1
    lines = ran.out.splitlines()
    assert lines[3].startswith("sound    acme v1 sha256:")
    assert lines[4].startswith("sound    acme channel stable sha256:")
    assert lines[5].startswith("         takes v1 (100%) since 2026-12-01 15:00 UTC, by ")
    assert lines[6].startswith("refused  birch v1 sha256:")
    assert lines[7] == f"         - blob sha256:{blob.name} of birch is missing"
    assert lines[-2] == "5 sound, 1 refused"
    assert lines[-1].startswith("A blob that is missing or altered comes back by pulling again")


def test_verify_of_the_cache_as_json(shop: Any, runtime: Runtime) -> None:
    shop.publish()
    runtime("pull", "acme", "--from", shop.store)
    told = json.loads(runtime("verify", "acme:v1", "--format", "json").out)
    (row,) = told["releases"]
    assert (row["name"], row["tag"], row["sound"], row["faults"]) == ("acme", "v1", True, [])


def test_pins_shows_what_is_current_and_what_is_draining(
    shop: Any, runtime: Runtime, tmp_path: Path
) -> None:
    shop.publish()
    cache = tmp_path / "state" / "releases"
    runtime("pull", "acme", "--from", shop.store)
    board = PinBoard()
    board.adopt(current_release(cache, "acme"))
    board.take("acme", "bill")
    shop.say("acme", "Bye.")
    shop.publish()
    runtime("pull", "acme", "--from", shop.store)
    board.adopt(current_release(cache, "acme"))
    for _ in range(2):
        board.take("acme", "bill")
    with WorkerReport(cache) as report:
        report.write(board.standings(), datetime.now(UTC))
        told = json.loads(runtime("pins", "--format", "json").out)
        shown = [line.split() for line in runtime("pins").out.splitlines()]
    assert [(row["tenant"], row["tag"], row["fault"]) for row in told["current"]] == [
        ("_policy", "v1", None),
        ("acme", "v2", None),
    ]
    assert [(row["tag"], row["channels"], row["calls"]) for row in told["holds"]] == [
        ("v1", [], 1),
        ("v2", ["stable"], 2),
    ]
    worker = told["holds"][0]["worker"]
    assert [line[:3] + line[4:] for line in shown[1:]] == [
        ["_policy", "newest", "v1", "0", "min"],
        ["acme", "stable", "v2", "0", "min", "2", worker],
        ["acme", "draining", "v1", "1", worker],
    ]


def test_pins_names_a_damaged_folder(shop: Any, runtime: Runtime, tmp_path: Path) -> None:
    shop.publish()
    runtime("pull", "acme", "--from", shop.store)
    (tmp_path / "state/releases/acme/index.json").write_bytes(b"{")
    rows = json.loads(runtime("pins", "--format", "json").out)["current"]
    assert [row["fault"] is None for row in rows] == [True, False]
