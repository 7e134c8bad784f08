"""`--today` and TRUNKLINE_TODAY: what runs out is held against a day that is an argument."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

EXCEPTION = """schema_version: 1
exceptions:
  - rule: texts
    target: {tenant: acme}
    reason: A pilot.
    owner: o@acme.example
    approver: c@acme.example
    created: "2026-11-01"
    expires: "2026-12-31"
"""
SPEND = """schema_version: 1
caps:
  - {id: texts, level: overridable, per: day, limit: {micros: 800000, currency: USD}}
  - {id: all, level: mandatory, per: call, limit: {micros: 2000000, currency: USD}}
"""


@pytest.fixture
def codes(
    put: Callable[[str], Path], trunkline: Callable[..., tuple[int, str, str]]
) -> Callable[..., list[str]]:
    repository = put("graph/good").parents[2]
    (repository / "policy" / "exceptions.yaml").write_text(EXCEPTION)
    (repository / "policy" / "spend.yaml").write_text(SPEND)

    def found(*arguments: str) -> list[str]:
        _, out, _ = trunkline("check", "--format", "json", *arguments)
        findings: list[dict[str, Any]] = json.loads(out)["findings"]
        return [f"{each['code']} {each['severity']}" for each in findings]

    return found


def test_the_day_is_an_argument(codes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", "2026-12-01")
    assert codes() == []
    assert codes("--today", "2026-12-18") == ["TL503 warning"]
    assert codes("--today", "2027-01-01") == ["TL504 error", "TL503 warning"]
    monkeypatch.setenv("TRUNKLINE_TODAY", "2027-01-01")
    assert codes() == ["TL504 error", "TL503 warning"]


def test_what_is_no_date_is_said(trunkline, put, monkeypatch: pytest.MonkeyPatch) -> None:
    put("graph/good")
    said = "trunkline: 'tomorrow' is no date; write it as \"2026-11-29\"\n"
    assert trunkline("check", "--today", "tomorrow") == (2, "", said)
    monkeypatch.setenv("TRUNKLINE_TODAY", "tomorrow")
    code, _, told = trunkline("check")
    assert (code, told) == (2, said.replace("'tomorrow'", "TRUNKLINE_TODAY: 'tomorrow'"))


def test_a_flow_is_explained_with_its_caps(trunkline, codes, monkeypatch) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", "2027-01-01")
    _, told, _ = trunkline("explain", "acme/good")
    assert "  of a cap    0.90 of 0.80 USD a day (texts)\n" in told
    monkeypatch.setenv("TRUNKLINE_TODAY", "2026-12-01")
    _, told, _ = trunkline("explain", "acme/good")
    assert told.count("of a cap") == 1
    assert "  of a cap    0.90 of 2.00 USD a call (all)\n" in told
