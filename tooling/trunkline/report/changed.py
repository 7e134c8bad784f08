"""A change of one step for a person: the lines that go and come, and what is wrong afterwards."""

from collections.abc import Iterator
from difflib import unified_diff

from rich.text import Text

from trunkline.draft.interview import Change
from trunkline.report.drafted import findings_of
from trunkline.report.printable import printable
from trunkline.report.terminal import drawn_lines

_STYLE = {"+": "green", "-": "red", "@": "cyan"}


def changed_text(change: Change, path: str) -> str:
    """The diff, then the errors that remain and the tools that are missing."""
    text = drawn_lines(_diff(change, path))
    if change.after.errors:
        text += "\n" + findings_of(change.after.text, path, change.after.errors)
    for gap in change.gaps:
        text += f"needs: {printable(gap.needs)} ({printable(gap.why)})\n"
    return text


def _diff(change: Change, path: str) -> Iterator[Text]:
    old, new = change.before.text.splitlines(), change.after.text.splitlines()
    for line in unified_diff(old, new, path, path, lineterm="", n=2):
        yield Text(printable(line), style=_STYLE.get(line[:1], ""))
