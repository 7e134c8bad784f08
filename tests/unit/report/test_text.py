"""The report for people: the line, the caret below it, the path, the help, a count."""

import pytest

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.report.text import render

_EXPECTED = """\
flows/acme/a.yaml:2:8 error TL401 not proven
   2 │ start: ünd
     │        ^^^
     path: a ──▶ b
     help: Add it.

flows/acme/a.yaml:3:1 warning TL204 over two lines
   3 │ support: '+120••••••••'
     │ ^^^^^^^^^^^^^^^^^^^^^^^

flows/acme/b.yaml:1:5 error TL003 an anchor
   1 │ 日本: &a
     │       ^^

flows/gone/tenant.yaml:1:1 error TL101 no tenant.yaml

3 errors and 1 warning in 3 files. `trunkline explain TL401` says more of a code.
"""


def test_every_finding_with_its_line(findings: list[Finding], excerpts: Excerpts) -> None:
    assert render(findings, excerpts) == _EXPECTED


def test_nothing_found(excerpts: Excerpts) -> None:
    assert render([], excerpts) == "No findings.\n"


def test_a_single_warning_is_counted_in_words(excerpts: Excerpts) -> None:
    one = Finding("TL204", "warning", "flows/acme/a.yaml", 1, 1, 1, 3, "a")
    assert render([one], excerpts).splitlines()[-1].startswith("1 warning in 1 file.")


def test_a_long_line_is_cut_around_the_fault(excerpts: Excerpts) -> None:
    far = Finding("TL101", "error", "flows/acme/a.yaml", 4, 300, 4, 303, "far out")
    lines = render([far], excerpts).splitlines()
    assert lines[1] == "   4 │ " + "x" * 100
    assert lines[2] == "     │ " + " " * 60 + "^^^"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("the key `\x1b[31mred`", "the key `\\u001b[31mred`"),
        ("two\nlines", "two lines"),
        ("reversed \u202e", "reversed \\u202e"),
        ("call +1 202 555 0143", "call +1 20• ••• ••••"),
    ],
)
def test_what_would_steer_the_terminal_or_be_dialled_is_not_printed(
    message: str, shown: str, excerpts: Excerpts
) -> None:
    finding = Finding("TL101", "error", "flows/acme/a.yaml", 1, 1, 1, 3, message)
    assert shown in render([finding], excerpts)


def test_no_colours_outside_a_terminal(findings: list[Finding], excerpts: Excerpts) -> None:
    assert "\x1b" not in render(findings, excerpts)


def test_colours_in_a_terminal_unless_they_are_not_wanted(
    findings: list[Finding], excerpts: Excerpts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1;31merror TL401" in render(findings, excerpts)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in render(findings, excerpts)
