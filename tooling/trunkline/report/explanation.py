"""The documentation of a check, for the terminal."""

from textwrap import wrap

from rich.console import Console
from rich.text import Text

from trunkline.checks.documentation import Documentation
from trunkline.report.terminal import drawn

_WIDTH = 88


def explanation(about: Documentation) -> str:
    """Title, what it finds, why it matters on the phone, a failing and a passing example."""
    return drawn(lambda console: _draw(console, about))


def _draw(console: Console, about: Documentation) -> None:
    console.print(Text.assemble((about.code, "bold"), " ", about.title))
    _paragraphs(console, "What it finds", about.finds)
    _paragraphs(console, "Why it matters on the phone", about.phone)
    _example(console, "Fails", about.failing, "red")
    _example(console, "Passes", about.passing, "green")


def _paragraphs(console: Console, title: str, text: str) -> None:
    console.print()
    console.print(Text(title, style="bold"))
    for paragraph in text.split("\n\n"):
        for line in wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False):
            console.print(Text(f"  {line}"))


def _example(console: Console, title: str, yaml: str, colour: str) -> None:
    console.print()
    console.print(Text(title, style=f"bold {colour}"))
    for line in yaml.splitlines():
        console.print(Text(f"  {line}".rstrip()))
