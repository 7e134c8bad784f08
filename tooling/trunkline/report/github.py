"""Findings as annotations of GitHub Actions: workflow commands in the step's log."""

from collections.abc import Sequence

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.report.printable import printable, printable_path
from trunkline.report.ranking import worst_first

# GitHub shows no more of each severity in one step.
_SHOWN = 10


def render(findings: Sequence[Finding], excerpts: Excerpts) -> str:
    """An annotation for the worst of each severity; the rest as plain lines below a notice."""
    ranked = worst_first(findings)
    shown: list[Finding] = []
    left_out: list[Finding] = []
    for severity in ("error", "warning"):
        of_severity = [finding for finding in ranked if finding.severity == severity]
        shown += of_severity[:_SHOWN]
        left_out += of_severity[_SHOWN:]
    lines = [_annotation(finding) for finding in shown]
    if left_out:
        lines.append(_notice(left_out))
        lines += [_plain(finding) for finding in left_out]
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding) -> str:
    properties = {"file": printable_path(finding.path), "line": finding.line}
    if finding.line == finding.end_line:
        properties |= {"col": finding.column, "endColumn": finding.end_column}
    else:
        properties["endLine"] = finding.end_line
    properties["title"] = finding.code
    parts = [printable(finding.message)]
    if finding.trace:
        parts.append("Path: " + " → ".join(printable(node) for node in finding.trace))
    if finding.help:
        parts.append(printable(finding.help))
    written = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{finding.severity} {written}::{_data(chr(10).join(parts))}"


def _notice(left_out: list[Finding]) -> str:
    errors = sum(finding.severity == "error" for finding in left_out)
    counts = f"{errors} more errors and {len(left_out) - errors} more warnings"
    text = f"GitHub shows no more here: {counts} are in this step's log."
    return f"::notice title=trunkline check::{_data(text)}"


def _plain(finding: Finding) -> str:
    where = f"{printable_path(finding.path)}:{finding.line}:{finding.column}"
    line = f"{where}: {finding.severity} {finding.code} {printable(finding.message)}"
    # The older form of a workflow command counts anywhere on a line: `##[error]…`.
    return line.replace("##[", "## [")


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
