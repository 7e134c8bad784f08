"""A Mermaid drawing as SVG, with text that is nothing but text."""

import re

from merman import Merman

# Without it labels are HTML inside the SVG, which viewers outside browsers do not show.
_PLAIN_TEXT = "---\nconfig:\n  htmlLabels: false\n  flowchart:\n    htmlLabels: false\n---\n"
# Such labels come out with some entities of Mermaid written once more; they stand for characters.
_ENTITY_TWICE = re.compile(r"&amp;(quot|#\d+);")
# Outlines come with fifteen digits a number, which make most of the file; nobody sees a hundredth.
_OUTLINE = re.compile(r'(?<= d=")[^"]*')
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")


def svg(drawing: str) -> str:
    """The SVG of a Mermaid text."""
    rendered = str(Merman().render_svg(_PLAIN_TEXT + drawing, None))
    rendered = _OUTLINE.sub(lambda found: _LONG_NUMBER.sub(_rounded, found[0]), rendered)
    return _ENTITY_TWICE.sub(r"&\1;", rendered).rstrip() + "\n"


def _rounded(found: re.Match[str]) -> str:
    return f"{round(float(found[0]), 2):.2f}".rstrip("0").rstrip(".")
