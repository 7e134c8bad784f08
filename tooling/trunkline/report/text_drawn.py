"""Findings drawn for a person: the line of YAML with a caret below it, what to write, the path."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.text import Text

from trunkline.finding import Finding
from trunkline.report import summary
from trunkline.report.excerpt import Excerpts
from trunkline.report.printable import printable, printable_path
from trunkline.report.terminal import drawn_lines

_COLOUR = {"error": "bold red", "warning": "bold yellow"}
_WIDEST = 100  # characters of an excerpt
_BEFORE = 60  # of them before the fault, where the line is longer
_AROUND = 400  # of the line are looked at: enough to see a number or secret that begins outside


def draw(findings: Sequence[Finding], excerpts: Excerpts) -> str:
    """Each finding, then one line that counts them."""
    return drawn_lines(_lines(findings, excerpts))


def _lines(findings: Sequence[Finding], excerpts: Excerpts) -> Iterator[Text]:
    for finding in findings:
        yield from _one(finding, excerpts)
    yield Text(_count(findings))


def _one(finding: Finding, excerpts: Excerpts) -> Iterator[Text]:
    where = f"{printable_path(finding.path)}:{finding.line}:{finding.column}"
    severity = Text(f"{finding.severity} {finding.code}", style=_COLOUR[finding.severity])
    yield Text.assemble((where, "bold"), " ", severity, " ", printable(finding.message))
    line = excerpts.line(finding.path, finding.line)
    if line is not None and line.strip():
        yield from _excerpt(finding, line)
    if finding.trace:
        path = " ──▶ ".join(printable(node) for node in finding.trace)
        yield Text(f"     path: {path}")
    if finding.help:
        yield Text.assemble(("     help: ", "cyan"), printable(finding.help))
    yield Text()


def _excerpt(finding: Finding, line: str) -> Iterator[Text]:
    """The line, cut where it is long, and a caret below each character of the fault."""
    start = finding.column - 1
    end = finding.end_column - 1 if finding.end_line == finding.line else len(line)
    cut = max(0, start - _AROUND)
    first = max(0, start - _BEFORE) if len(line) > _WIDEST else 0
    shown = printable(line[cut : start + _AROUND])[first - cut :][:_WIDEST]
    number = str(finding.line)
    margin = " " * max(4, len(number))
    before = cell_len(shown[: start - first])
    fault = max(1, cell_len(shown[start - first : max(end, start + 1) - first]))
    yield Text.assemble((f"{number:>{len(margin)}} │ ", "dim"), shown.rstrip())
    caret = Text("^" * fault, style=_COLOUR[finding.severity])
    yield Text.assemble((f"{margin} │ ", "dim"), " " * before, caret)


def _count(findings: Sequence[Finding]) -> str:
    counts = summary(findings)
    told = [_number(counts[severity], severity) for severity in ("error", "warning")]
    files = len({finding.path for finding in findings})
    first = next((each for each in findings if each.severity == "error"), findings[0])
    return (
        f"{' and '.join(filter(None, told))} in {_number(files, 'file')}. "
        f"`trunkline explain {first.code}` says more of a code."
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}" if count else ""
