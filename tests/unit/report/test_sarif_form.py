"""The report of a case of each code has the form that SARIF 2.1.0 asks of the parts in use.

FORM says, in the words of JSON Schema, what the standard (OASIS, sarif-v2.1.0) says of them; the
sections stand beside it. Nothing that it does not name may be in a report. The whole corpus is held
against Microsoft's validator by `tests/bench/sarif_judge.py`.
"""

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import jsonschema
import pytest

from trunkline.compile import compile_repository
from trunkline.report import sarif
from trunkline.report.excerpt import Excerpts
from trunkline.source.tree import WorkingTree

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = [min(code.glob("failing/*/case.json")) for code in sorted(EXAMPLES.glob("TL*"))]


def closed(required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "required": required.split(),
        "properties": properties,
        "additionalProperties": False,
    }


def listed(items: Any, **bounds: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **bounds}


TEXT = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 1}
MESSAGE = closed("text", text=TEXT)  # 3.11
REGION = closed(  # 3.30: lines and columns count from 1
    "startLine", startLine=COUNT, startColumn=COUNT, endLine=COUNT, endColumn=COUNT
)
LOCATION = closed(  # 3.28, 3.29, 3.4
    "physicalLocation",
    physicalLocation=closed(
        "artifactLocation",
        artifactLocation=closed("uri", uri=TEXT, uriBaseId={"enum": ["REPOSITORY"]}),
        region=REGION,
    ),
)
LEVEL = {"enum": ["none", "note", "warning", "error"]}  # 3.27.10
RULE = closed(  # 3.49
    "id", id=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE
)
RESULT = closed(  # 3.27
    "message",
    message=MESSAGE,
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    locations=listed(LOCATION, minItems=1, maxItems=1),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
)
NOTE = closed("message", message=MESSAGE, level=LEVEL)  # 3.58
RUN = closed(  # 3.14
    "tool results",
    tool=closed(  # 3.18, 3.19
        "driver",
        driver=closed("name", name=TEXT, semanticVersion=TEXT, rules=listed(RULE)),
    ),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds=closed("REPOSITORY", REPOSITORY=closed("", description=MESSAGE)),
    invocations=listed(  # 3.20
        closed(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=listed(NOTE),
        )
    ),
    results=listed(RESULT),
)
FORM = closed(  # 3.13
    "version runs",
    **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": listed(RUN, minItems=1)},
)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The report of one failing case of each code."""
    return list(_reports(tmp_path_factory.mktemp("corpus")))


def _reports(folder: Path) -> Iterator[dict[str, Any]]:
    for number, case in enumerate(CASES):
        copy = shutil.copytree(EXAMPLES / "base", folder / str(number))
        shutil.copytree(case.parent, copy, dirs_exist_ok=True)
        found = compile_repository(copy, date(2026, 11, 29)).findings
        yield json.loads(sarif.render(found, Excerpts(WorkingTree(copy))))


def test_every_report_has_the_form(reports: list[dict[str, Any]]) -> None:
    judge = jsonschema.Draft7Validator(FORM)
    assert len(reports) > 30
    for report in reports:
        assert [error.message for error in judge.iter_errors(report)] == []


def test_what_a_report_refers_to_is_in_it(reports: list[dict[str, Any]]) -> None:
    for run in (run for report in reports for run in report["runs"]):
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        assert len(set(rules)) == len(rules)
        prints = set()
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"]
            where = result["locations"][0]["physicalLocation"]
            region, uri = where["region"], urlsplit(where["artifactLocation"]["uri"])
            assert (uri.scheme, uri.netloc, uri.query, uri.fragment) == ("", "", "", "")
            assert not uri.path.startswith("/")
            assert ".." not in unquote(uri.path).split("/")
            begin = region["startLine"], region["startColumn"]
            assert begin <= (region["endLine"], region["endColumn"])
            prints.add(tuple(result["partialFingerprints"].values()))
        assert len(prints) == len(run["results"])


@pytest.mark.parametrize(
    "spoil",
    [
        lambda run: run.update(colour="red"),
        lambda run: run["results"][0].pop("message"),
        lambda run: run["results"][0].update(level="fatal"),
        lambda run: run["results"][0]["locations"][0]["physicalLocation"]["region"].update(
            startLine=0
        ),
    ],
)
def test_a_report_of_another_form_is_seen(reports: list[dict[str, Any]], spoil: Any) -> None:
    report = json.loads(json.dumps(reports[0]))
    spoil(report["runs"][0])
    assert not jsonschema.Draft7Validator(FORM).is_valid(report)
