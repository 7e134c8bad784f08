"""Findings as JSON, version 1: for programs."""

import json
from collections.abc import Sequence

from trunkline.finding import Finding
from trunkline.report import summary
from trunkline.report.excerpt import Excerpts
from trunkline.report.printable import printable, printable_path

VERSION = 1


def render(findings: Sequence[Finding], excerpts: Excerpts) -> str:
    """`{"version", "findings": […], "summary": {"error", "warning"}}`."""
    document = {
        "version": VERSION,
        "findings": [_finding(finding) for finding in findings],
        "summary": summary(findings),
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": printable_path(finding.path),
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "message": printable(finding.message),
        "help": printable(finding.help),
        "trace": [printable(node) for node in finding.trace],
    }
