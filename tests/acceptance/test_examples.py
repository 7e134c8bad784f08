"""The conformance corpus: every case of tests/examples gives its findings, and no others."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trunkline.checks.documentation import documentation
from trunkline.commands.main import run

EXAMPLES = Path(__file__).parents[1] / "examples"
KINDS = ("passing", "failing")
CASES = sorted(EXAMPLES.glob("TL*/*/*/case.json"))
Finding = dict[str, Any]


def name_of(case: Path) -> str:
    return case.parent.relative_to(EXAMPLES).as_posix()


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_a_case(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected: list[Finding] = json.loads(case.read_text(encoding="utf-8"))["findings"]
    code, kind, _ = name_of(case).split("/")
    assert (kind == "failing") == any(finding["code"] == code for finding in expected)
    assert kind == "failing" or not expected
    copy = shutil.copytree(EXAMPLES / "base", tmp_path / "copy")
    for file in files_of(case):
        target = copy / file.relative_to(case.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    exit_code = run(["-C", str(copy), "check", "--format", "json", "--today", "2026-11-29"])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert [shown(finding) for finding in found] == expected
    assert exit_code == int(any(finding["severity"] == "error" for finding in expected))


def files_of(case: Path) -> Iterator[Path]:
    return (file for file in sorted(case.parent.rglob("*")) if file.is_file() and file != case)


def shown(finding: Finding) -> Finding:
    kept = {key: finding[key] for key in ("code", "severity", "path", "line", "column")}
    return {**kept, "trace": finding["trace"]} if finding["trace"] else kept


@pytest.mark.parametrize("code", documentation())
@pytest.mark.parametrize("kind", KINDS)
def test_every_code_has_its_cases(code: str, kind: str) -> None:
    assert any(name_of(case).startswith(f"{code}/{kind}/") for case in CASES)


def test_no_folder_is_left_out() -> None:
    """A case without its `case.json`, or in a place where nothing looks, would test nothing."""
    folders = {folder for code in EXAMPLES.glob("TL*") for folder in code.glob("*/*")}
    assert {case.parent for case in CASES} == folders
    assert {folder.parent.name for folder in folders} == set(KINDS)
    assert {folder.parent.parent.name for folder in folders} == set(documentation())


def test_the_base_has_no_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copytree(EXAMPLES / "base", tmp_path / "copy")
    assert run(["-C", str(copy), "check", "--format", "json", "--today", "2026-11-29"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []
