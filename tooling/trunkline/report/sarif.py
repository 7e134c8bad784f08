"""Findings as SARIF 2.1.0: for code scanning (OASIS, sarif-v2.1.0, sections 3.14 to 3.30)."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import trunkline
from trunkline.checks.documentation import documentation
from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.report.printable import printable
from trunkline.report.ranking import worst_first

# GitHub's code scanning refuses a run with more results.
MOST_RESULTS = 25_000
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(findings: Sequence[Finding], excerpts: Excerpts) -> str:
    """One run with a result for each finding; the worst ones where there are too many."""
    kept = worst_first(findings)[:MOST_RESULTS]
    codes = sorted({finding.code for finding in kept})
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "trunkline",
                "semanticVersion": trunkline.__version__,
                "rules": [_rule(code) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"REPOSITORY": {"description": {"text": "The repository."}}},
        "invocations": [_invocation(len(findings) - len(kept))],
        "results": _results(kept, codes),
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _rule(code: str) -> dict[str, Any]:
    about = documentation().get(code)
    if about is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": about.title},
        "fullDescription": {"text": about.finds},
        "help": {"text": f"{about.finds}\n\n{about.phone}"},
    }


def _invocation(left_out: int) -> dict[str, Any]:
    invocation: dict[str, Any] = {"executionSuccessful": True}
    if left_out:
        text = f"{left_out} findings were left out: a run holds {MOST_RESULTS} at most."
        invocation["toolExecutionNotifications"] = [{"level": "note", "message": {"text": text}}]
    return invocation


def _results(findings: list[Finding], codes: list[str]) -> list[dict[str, Any]]:
    index = {code: position for position, code in enumerate(codes)}
    seen: dict[str, int] = {}
    results = []
    for finding in findings:
        identity = f"{finding.code}\n{finding.path}\n{finding.message}"
        seen[identity] = seen.get(identity, 0) + 1
        fingerprint = sha256(f"{identity}\n{seen[identity]}".encode("utf-8", "surrogatepass"))
        results.append(
            {
                "ruleId": finding.code,
                "ruleIndex": index[finding.code],
                "level": finding.severity,
                "message": {"text": _text(finding)},
                "locations": [{"physicalLocation": _location(finding)}],
                # A line moved by an edit above it is still the same finding.
                "partialFingerprints": {"trunkline/v1": fingerprint.hexdigest()},
            }
        )
    return results


def _text(finding: Finding) -> str:
    parts = [printable(finding.message)]
    if finding.trace:
        parts.append("Path: " + " → ".join(printable(node) for node in finding.trace))
    if finding.help:
        parts.append(printable(finding.help))
    return "\n".join(parts)


def _location(finding: Finding) -> dict[str, Any]:
    path = finding.path.encode("utf-8", "surrogateescape")
    return {
        "artifactLocation": {"uri": quote(path), "uriBaseId": "REPOSITORY"},
        "region": {
            "startLine": finding.line,
            "startColumn": finding.column,
            "endLine": finding.end_line,
            "endColumn": max(finding.end_column, 1),
        },
    }
