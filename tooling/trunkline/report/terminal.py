"""Drawing into a string: coloured for a terminal, the same plain bytes elsewhere."""

import os
import sys
from collections.abc import Callable, Iterable
from io import StringIO

from rich.console import Console
from rich.text import Text


def drawn(draw: Callable[[Console], None]) -> str:
    """What `draw` prints. Lines are never wrapped, so that the width changes nothing."""
    colours = _has_colours()
    buffer = StringIO()
    console = Console(
        file=buffer,
        force_terminal=colours,
        color_system="standard" if colours else None,
        width=100,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )
    draw(console)
    return buffer.getvalue()


def drawn_lines(lines: Iterable[Text]) -> str:
    """The lines, each with its end; for thousands of them, which rich takes seconds to draw."""
    if not _has_colours():
        return "".join(f"{line.plain}\n" for line in lines)

    def draw(console: Console) -> None:
        for line in lines:
            console.print(line)

    return drawn(draw)


def _has_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
