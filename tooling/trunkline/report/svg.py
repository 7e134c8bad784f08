"""A Mermaid drawing as SVG, with text that is nothing but text."""

import re

from merman import Merman

# Without it labels are HTML inside the SVG, which viewers outside browsers do not show.
_PLAIN_TEXT = "---\nconfig:\n  htmlLabels: false\n  flowchart:\n    htmlLabels: false\n---\n"
# Such labels come out with some entities of Mermaid written once more; they stand for characters.
_ENTITY_TWICE = re.compile(r"&amp;(quot|#\d+);")


def svg(drawing: str) -> str:
    """The SVG of a Mermaid text."""
    rendered = str(Merman().render_svg(_PLAIN_TEXT + drawing, None))
    return _ENTITY_TWICE.sub(r"&\1;", rendered).rstrip() + "\n"
