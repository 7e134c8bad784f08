"""The documentation of a check, for the terminal."""

from collections.abc import Iterator
from textwrap import wrap

from rich.text import Text

from trunkline.checks.documentation import Documentation
from trunkline.report.terminal import drawn_lines

_WIDTH = 88


def explanation(about: Documentation) -> str:
    """Title, what it finds, why it matters on the phone, a failing and a passing example."""
    return drawn_lines(_lines(about))


def _lines(about: Documentation) -> Iterator[Text]:
    yield Text.assemble((about.code, "bold"), " ", about.title)
    yield from _paragraphs("What it finds", about.finds)
    yield from _paragraphs("Why it matters on the phone", about.phone)
    yield from _example("Fails", about.failing, "red")
    yield from _example("Passes", about.passing, "green")


def _paragraphs(title: str, text: str) -> Iterator[Text]:
    yield Text()
    yield Text(title, style="bold")
    for paragraph in text.split("\n\n"):
        for line in wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False):
            yield Text(f"  {line}")


def _example(title: str, yaml: str, colour: str) -> Iterator[Text]:
    yield Text()
    yield Text(title, style=f"bold {colour}")
    for line in yaml.splitlines():
        yield Text(f"  {line}".rstrip())
