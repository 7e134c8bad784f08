"""Names and messages that try to steer what prints them: each report says them as text."""

import json

import pytest
from rich.cells import cell_len

from trunkline.finding import Finding, Mark, error
from trunkline.report import FORMATS, report
from trunkline.report.excerpt import Excerpts

_NASTY = "a, b: 41%\n::error file=x::boo \x1b[31mred ##[error]old \u202e[bold]x[/bold] 🎉 日本\r::z"
_PATH = "flows/a,b:%\n::error::🎉[bold].yaml"


class _Tree:
    def __init__(self, text: str) -> None:
        self._text = text

    def paths(self) -> list[str]:
        return []

    def read(self, path: str) -> bytes:
        return self._text.encode()


def _told(format: str, findings: list[Finding], text: str = "") -> str:
    return report(format)(findings, Excerpts(_Tree(text)))


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_steers_the_terminal_or_the_runner(format: str) -> None:
    findings = [error("TL101", _PATH, Mark(1, n, 1, n + 1), _NASTY, _NASTY) for n in range(1, 15)]
    told = _told(format, findings, "a: \x1b[31m::error::x\n")
    assert not set(told) & set("\x1b\r\u202e")
    ours = ("::error file=flows/a%2Cb%3A%25", "::notice title=trunkline check::")
    commands = [line for line in told.splitlines() if line.lstrip().startswith("::")]
    assert all(format == "github" and line.startswith(ours) for line in commands)
    assert len(commands) == (11 if format == "github" else 0)
    if format == "github":
        # The older form of a command counts anywhere, but not inside one of the newer form.
        assert not [line for line in told.splitlines() if "##[" in line and line not in commands]
    if format in ("json", "sarif"):
        assert "[bold]x[/bold] 🎉 日本" in json.dumps(json.loads(told), ensure_ascii=False)


@pytest.mark.parametrize(
    ("line", "fault"),
    [("k\t: 日本🎉 [bold]no", "no"), ("x" * 100_000 + " 🎉 bad", "bad"), ("'e\u0301': é no", "no")],
)
def test_the_caret_stands_below_the_fault(line: str, fault: str) -> None:
    column = line.index(fault) + 1
    mark = Mark(1, column, 1, column + len(fault))
    told = _told("text", [error("TL004", "flows/x.yaml", mark, "m")], line + "\n").splitlines()
    shown, caret = told[1], told[2]
    assert cell_len(shown[: shown.index(fault)]) == caret.index("^")
    assert caret.count("^") == len(fault)
