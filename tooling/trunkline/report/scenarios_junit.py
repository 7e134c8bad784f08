"""Scenario tests as JUnit XML: a suite for each file, a case for each scenario.

The form is the one that Jenkins, GitLab and GitHub's reporters read; `schemas/junit.xsd` holds it.
"""

import re
from collections.abc import Sequence
from itertools import groupby
from xml.etree import ElementTree

from trunkline.report.printable import printable
from trunkline.report.scenarios import story
from trunkline.scenario.result import Result

# XML 1.0, section 2.2: no other characters may stand in a document, not even escaped.
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(results: Sequence[Result]) -> str:
    """The document, with its declaration; times are in seconds."""
    root = ElementTree.Element("testsuites", {"name": "trunkline", **_sums(results)})
    for path, found in groupby(results, key=lambda result: result.path):
        suite = list(found)
        element = ElementTree.SubElement(root, "testsuite", {"name": path, **_sums(suite)})
        for result in suite:
            _case(element, result)
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def _sums(results: Sequence[Result]) -> dict[str, str]:
    return {
        "tests": str(len(results)),
        "failures": str(sum(not result.passed for result in results)),
        "errors": "0",
        "skipped": "0",
        "time": f"{sum(result.seconds for result in results):.3f}",
    }


def _case(suite: ElementTree.Element, result: Result) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=f"{result.tenant}.{result.flow}",
        name=_xml(result.label),
        file=_xml(result.path),
        line=str(result.line),
        time=f"{result.seconds:.3f}",
    )
    if not result.passed:
        first = result.faults[0]
        message = f"{first.what}: expected {first.expected}, got {first.actual}"
        failure = ElementTree.SubElement(
            case, "failure", type=first.what, message=_xml(printable(message))
        )
        failure.text = _xml("\n".join(line.plain for line in story(result)))


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
