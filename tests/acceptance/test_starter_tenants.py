"""The three starter tenants: without a finding as they are, and caught when they go wrong."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.commands.main import run
from trunkline_runtime.schema import validator

ROOT = Path(__file__).parents[2]
TENANTS = ("atlas-research", "harbor-medical", "northwind-energy")
FLOW = "flows/northwind-energy/overdue-invoice.yaml"

Check = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for folder in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.fixture
def check(repository: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    def findings() -> list[dict[str, Any]]:
        run(["-C", str(repository), "check", "--format", "json"])
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
        return found

    return findings


def change(repository: Path, before: str, after: str) -> None:
    path = repository / FLOW
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def line_of(repository: Path, words: str) -> int:
    lines = (repository / FLOW).read_text().splitlines()
    (line,) = (number for number, line in enumerate(lines, 1) if words in line)
    return line


def places(findings: list[dict[str, Any]]) -> list[tuple[str, str, int, list[str]]]:
    return [(each["code"], each["path"], each["line"], each["trace"]) for each in findings]


def test_they_have_no_finding_not_even_a_warning(check: Check) -> None:
    assert check() == []


def test_these_are_all() -> None:
    found = {path.parent.name for path in (ROOT / "flows").glob("*/tenant.yaml")}
    assert found == set(TENANTS)


@pytest.mark.parametrize("tenant", TENANTS)
def test_every_flow_has_scenarios_that_read(tenant: str) -> None:
    flows = {path.name for path in (ROOT / "flows" / tenant).glob("*.yaml")}
    scenarios = sorted((ROOT / "flows" / tenant / "scenarios").glob("*.yaml"))
    assert {path.name for path in scenarios} == flows - {"tenant.yaml", "channels.yaml"}
    for path in scenarios:
        document = yaml.safe_load(path.read_text())
        assert [error.message for error in validator("scenarios").iter_errors(document)] == []


def test_a_payment_without_verification_is_caught(repository: Path, check: Check) -> None:
    change(
        repository,
        "        when: account holder confirmed\n        requires: [identity_verified]\n",
        "        when: account holder confirmed\n",
    )
    trace = ["greeting", "verify", "state_invoice", "pay"]
    assert places(check()) == [
        ("TL401", FLOW, line_of(repository, f"- id: {tool}"), trace)
        for tool in ("send_payment_link", "take_payment")
    ]


def test_a_payment_from_anywhere_is_caught(repository: Path, check: Check) -> None:
    change(
        repository,
        "  - to: human\n    when: the person asks for a human\n",
        "  - to: human\n    when: the person asks for a human\n"
        "  - to: pay\n    when: the person wants to pay\n",
    )
    found = [place for place in places(check()) if place[0] == "TL401"]
    assert found == [
        ("TL401", FLOW, line_of(repository, f"- id: {tool}"), ["greeting", "pay"])
        for tool in ("send_payment_link", "take_payment")
    ]
