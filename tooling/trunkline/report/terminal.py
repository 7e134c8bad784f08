"""A console that writes to a string: coloured for a terminal, the same plain bytes elsewhere."""

import os
import sys
from collections.abc import Callable
from io import StringIO

from rich.console import Console


def drawn(draw: Callable[[Console], None]) -> str:
    """What `draw` prints. Lines are never wrapped, so that the width changes nothing."""
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
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
