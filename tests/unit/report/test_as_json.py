"""The report for programs: exact keys, every finding, counts."""

import json

from trunkline.finding import Finding
from trunkline.report.as_json import render
from trunkline.report.excerpt import Excerpts


def test_exact_document(findings: list[Finding], excerpts: Excerpts) -> None:
    told = json.loads(render(findings, excerpts))
    assert list(told) == ["version", "findings", "summary"]
    assert told["version"] == 1
    assert told["summary"] == {"error": 3, "warning": 1}
    assert told["findings"][0] == {
        "code": "TL401",
        "severity": "error",
        "path": "flows/acme/a.yaml",
        "line": 2,
        "column": 8,
        "end_line": 2,
        "end_column": 11,
        "message": "not proven",
        "help": "Add it.",
        "trace": ["a", "b"],
    }
    assert [found["code"] for found in told["findings"]] == ["TL401", "TL204", "TL003", "TL101"]


def test_nothing_found(excerpts: Excerpts) -> None:
    assert json.loads(render([], excerpts)) == {
        "version": 1,
        "findings": [],
        "summary": {"error": 0, "warning": 0},
    }


def test_the_same_bytes_each_time(findings: list[Finding], excerpts: Excerpts) -> None:
    assert render(findings, excerpts) == render(list(findings), excerpts)


def test_a_file_name_that_is_not_utf_8_and_a_number_are_told_safely(excerpts: Excerpts) -> None:
    finding = Finding("TL001", "error", "flows/caf\udce9.yaml", 1, 1, 1, 1, "+12025550143 is bad")
    told = json.loads(render([finding], excerpts))["findings"][0]
    assert told["path"] == "flows/caf\\xe9.yaml"
    assert told["message"] == "+120•••••••• is bad"
