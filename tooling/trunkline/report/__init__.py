"""Prints findings: as text, JSON, GitHub annotations or SARIF.

Every report is a function from findings to text; the same findings give the same bytes.
"""

from collections.abc import Callable, Sequence
from importlib import import_module

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts

Report = Callable[[Sequence[Finding], Excerpts], str]

# Format → module with a function `render`. Loaded when asked for: rich alone costs 76 ms.
_MODULES = {
    "text": "trunkline.report.text",
    "json": "trunkline.report.as_json",
    "github": "trunkline.report.github",
    "sarif": "trunkline.report.sarif",
}
FORMATS = tuple(_MODULES)


def report(format: str) -> Report:
    """The report of a format. Raises KeyError for one that does not exist."""
    render: Report = import_module(_MODULES[format]).render
    return render


def summary(findings: Sequence[Finding]) -> dict[str, int]:
    """How many errors and warnings."""
    errors = sum(finding.severity == "error" for finding in findings)
    return {"error": errors, "warning": len(findings) - errors}
