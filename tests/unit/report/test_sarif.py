"""SARIF 2.1.0: what code scanning needs of a run."""

import json
from dataclasses import replace

import pytest

from trunkline.finding import Finding
from trunkline.report import sarif
from trunkline.report.excerpt import Excerpts


def test_a_run_with_a_result_for_each_finding(findings: list[Finding], excerpts: Excerpts) -> None:
    told = json.loads(sarif.render(findings, excerpts))
    assert told["version"] == "2.1.0"
    run = told["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["TL003", "TL101", "TL204", "TL401"]
    assert "alias" in rules[0]["shortDescription"]["text"]
    assert all(rules[each["ruleIndex"]]["id"] == each["ruleId"] for each in run["results"])
    assert [each["level"] for each in run["results"]] == ["error", "error", "error", "warning"]
    assert run["results"][0]["message"]["text"] == "not proven\nPath: a → b\nAdd it."
    assert run["results"][0]["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "flows/acme/a.yaml", "uriBaseId": "REPOSITORY"},
                "region": {"startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 11},
            }
        }
    ]
    assert run["columnKind"] == "unicodeCodePoints"


def test_a_fingerprint_survives_a_moved_line_and_tells_twins_apart(
    findings: list[Finding], excerpts: Excerpts
) -> None:
    moved = replace(findings[0], line=50, end_line=50)
    prints = [
        [
            each["partialFingerprints"]["trunkline/v1"]
            for each in json.loads(text)["runs"][0]["results"]
        ]
        for text in (
            sarif.render([findings[0]], excerpts),
            sarif.render([moved], excerpts),
            sarif.render([findings[0], moved], excerpts),
        )
    ]
    assert prints[0] == prints[1] == prints[2][:1]
    assert len(set(prints[2])) == 2


def test_a_path_is_a_uri(excerpts: Excerpts) -> None:
    finding = Finding("TL001", "error", "flows/a b/é%.yaml", 1, 1, 1, 1, "m")
    result = json.loads(sarif.render([finding], excerpts))["runs"][0]["results"][0]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location["uri"] == "flows/a%20b/%C3%A9%25.yaml"


def test_too_many_results_are_cut_and_counted(
    excerpts: Excerpts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sarif, "MOST_RESULTS", 3)
    many = [Finding("TL204", "warning", "a.yaml", n, 1, n, 2, "m") for n in range(1, 5)]
    worst = Finding("TL401", "error", "z.yaml", 1, 1, 1, 2, "m")
    run = json.loads(sarif.render([*many, worst], excerpts))["runs"][0]
    assert [each["ruleId"] for each in run["results"]] == ["TL401", "TL204", "TL204"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert notes[0]["message"]["text"].startswith("2 findings were left out")


def test_nothing_found(excerpts: Excerpts) -> None:
    assert json.loads(sarif.render([], excerpts))["runs"][0]["results"] == []
