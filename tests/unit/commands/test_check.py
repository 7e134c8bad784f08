"""`trunkline check`: what is printed, what is mended, and the exit code."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline.commands.main import run

Ran = tuple[int, str, str]
Trunkline = Callable[..., Ran]
Put = Callable[[str], Path]


def _codes(ran: Ran) -> list[tuple[str, str]]:
    return [
        (found["path"].split("/")[-1], found["code"]) for found in json.loads(ran[1])["findings"]
    ]


def test_a_clean_repository(trunkline: Trunkline, put: Put) -> None:
    put("graph/good")
    assert trunkline("check", "--strict") == (0, "No findings.\n", "")


def test_every_file_with_a_finding_is_told(trunkline: Trunkline, put: Put) -> None:
    for case in ("graph/good", "graph/unknown-key", "reading/norway-outcome"):
        put(case)
    ran = trunkline("check", "--format", "json")
    assert ran[0] == 1
    assert _codes(ran) == [("norway-outcome.yaml", "TL004"), ("unknown-key.yaml", "TL101")]


@pytest.mark.parametrize(
    ("paths", "told"),
    [
        (["flows/acme/unknown-key.yaml"], ["unknown-key.yaml"]),
        (["flows/acme/good.yaml"], []),
        (["catalog"], []),
        (["flows"], ["norway-outcome.yaml", "unknown-key.yaml"]),
        (["."], ["norway-outcome.yaml", "unknown-key.yaml"]),
        (["flows/acme/../acme/unknown-key.yaml", "catalog"], ["unknown-key.yaml"]),
        (["flows/acme"], ["norway-outcome.yaml", "unknown-key.yaml"]),
    ],
)
def test_with_paths_only_theirs_are_told(
    trunkline: Trunkline, put: Put, paths: list[str], told: list[str]
) -> None:
    for case in ("graph/good", "graph/unknown-key", "reading/norway-outcome"):
        put(case)
    ran = trunkline("check", "--format", "json", *paths)
    assert [name for name, _ in _codes(ran)] == told
    assert ran[0] == (1 if told else 0)


def test_an_absolute_path_will_do(trunkline: Trunkline, put: Put) -> None:
    file = put("graph/unknown-key")
    assert _codes(trunkline("check", "--format", "json", str(file)))[0][1] == "TL101"


@pytest.mark.parametrize("path", ["flows/acme/gone.yaml", "../outside.yaml", "/etc/hostname"])
def test_a_path_that_is_not_there_or_outside(
    trunkline: Trunkline, repository: Path, path: str
) -> None:
    (repository.parent / "outside.yaml").write_text("a: b\n")
    code, out, err = trunkline("check", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"trunkline: {path}: ")
    assert err.count("\n") == 1


def test_warnings_fail_only_when_strict(trunkline: Trunkline, put: Put, repository: Path) -> None:
    put("graph/good").rename(repository / "flows/acme/good.yml")
    assert trunkline("check")[0] == 0
    code, out, _ = trunkline("check", "--strict")
    assert code == 1
    assert "1 warning in 1 file." in out


def test_fix_mends_and_checks_again(trunkline: Trunkline, put: Put) -> None:
    file = put("reading/norway-outcome")
    code, out, err = trunkline("check", "--fix")
    assert (code, out) == (0, "No findings.\n")
    assert err == "mended 1 in flows/acme/norway-outcome.yaml\n"
    assert 'outcome: "no"}' in file.read_text()
    assert trunkline("check", "--fix") == (0, "No findings.\n", "")


def test_fix_touches_only_the_paths_that_were_named(trunkline: Trunkline, put: Put) -> None:
    one, other = put("reading/norway-outcome"), put("reading/plus-number")
    before = other.read_bytes()
    trunkline("check", "--fix", "flows/acme/norway-outcome.yaml")
    assert 'outcome: "no"}' in one.read_text()
    assert other.read_bytes() == before


@pytest.mark.parametrize("what", ["nowhere", "empty", "file"])
def test_no_repository(tmp_path: Path, capfd: pytest.CaptureFixture[str], what: str) -> None:
    root = tmp_path / what
    if what == "empty":
        root.mkdir()
    elif what == "file":
        root.write_text("flows\n")
    assert run(["-C", str(root), "check"]) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"trunkline: {root}: ")
    assert captured.err.count("\n") == 1


def test_the_same_bytes_with_another_order_of_the_folder(
    trunkline: Trunkline, put: Put, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in ("graph/trapped", "graph/unknown-key", "reading/norway-outcome"):
        put(case)
    first = trunkline("check", "--format", "json")
    scan = os.scandir

    class Backwards:
        def __init__(self, path: str) -> None:
            self.entries = list(scan(path))[::-1]

        def __enter__(self) -> "Backwards":
            return self

        def __exit__(self, *raised: object) -> None:
            return None

        def __iter__(self) -> object:
            return iter(self.entries)

    monkeypatch.setattr(os, "scandir", Backwards)
    assert trunkline("check", "--format", "json") == first


def test_no_telephone_number_is_printed(trunkline: Trunkline, put: Put) -> None:
    put("reading/plus-number")
    put("reading/phone-number")
    for format in ("text", "json", "github", "sarif"):
        _, out, _ = trunkline("check", "--format", format)
        assert "TL004" in out
        assert "2025550143" not in out
        assert "0205551234" not in out


def test_fix_goes_on_until_nothing_more_can_be_mended(
    trunkline: Trunkline, put: Put, repository: Path
) -> None:
    """Quotes first, then a key that the schema knows, then the name that only then is looked up."""
    put("graph/good")
    file = repository / "flows/acme/good.yaml"
    good = file.read_text()
    slips = good.replace("outcome: done}", "outcome: yes}").replace("collect:", "colect:")
    file.write_text(slips.replace("tools: [lookup_crm]", "tools: [lookup_cmr]"))
    code, out, err = trunkline("check", "--fix")
    assert (code, out) == (0, "No findings.\n")
    assert err == "mended 1 in flows/acme/good.yaml\n" * 3
    assert file.read_text() == good.replace("outcome: done}", 'outcome: "yes"}')


@pytest.mark.parametrize(
    ("written", "mended"),
    [
        ("slots.amount > 0", "slots.amount > 0.0"),
        ('"slots.amount > 0"', '"slots.amount > 0.0"'),
        ("slots.amount >= -5 && slots.amount < 7", "slots.amount >= -5.0 && slots.amount < 7.0"),
        ("slots.amount != 10 || true", "slots.amount != 10.0 || true"),
    ],
)
def test_a_whole_number_beside_one_with_a_point_is_mended(
    trunkline: Trunkline, put: Put, written: str, mended: str
) -> None:
    file = put("graph/good")
    text = file.read_text().replace("slots:\n", "slots:\n  amount: {type: number}\n", 1)
    text = text.replace("collect: [full_name", "collect: [amount, full_name", 1)
    edge = "- {to: done, when: they want to stop, requires: [slots.amount], if: %s}\n      "
    before = "- {to: pay, when: account holder confirmed"
    assert before in text
    file.write_text(text.replace(before, edge % written + before))
    assert trunkline("check")[0] == 1
    assert trunkline("check", "--fix")[0] == 0
    assert file.read_text() == text.replace(before, edge % mended + before)


@pytest.mark.parametrize("name", ["README.md", "docs", "flows/acme/notes.txt", "own.py"])
def test_what_nobody_looks_at_is_not_said_to_be_fine(
    trunkline: Trunkline, repository: Path, name: str
) -> None:
    if name == "docs":
        (repository / name).mkdir()
    else:
        (repository / name).write_text("Hello.")
    code, out, err = trunkline("check", name)
    assert (code, out) == (2, "")
    assert err == (
        f"trunkline: {name}: this is not checked; what is checked are the .yaml files in flows/, "
        "catalog/, policy/\n"
    )


def test_a_channel_that_was_hardly_meant_is_mended(trunkline: Trunkline, repository: Path) -> None:
    channels = repository / "flows/acme/channels.yaml"
    channels.write_text("stabel: {release: v12}\n")
    assert _codes(trunkline("check", "--format", "json")) == [("channels.yaml", "TL701")]
    assert trunkline("check", "--fix")[0] == 0
    assert channels.read_text() == "stable: {release: v12}\n"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_day_at_the_end_of_all_days_is_refused(trunkline: Trunkline, put: Put, day: str) -> None:
    put("graph/good")
    code, out, err = trunkline("check", "--today", day)
    assert (code, out) == (2, "")
    assert err == f"trunkline: {day} is outside the years 1970 to 9000\n"
