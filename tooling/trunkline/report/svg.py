"""A Mermaid drawing as SVG, with text that is nothing but text."""

from merman import Merman

# Without it labels are HTML inside the SVG, which viewers outside browsers do not show.
_PLAIN_TEXT = "---\nconfig:\n  htmlLabels: false\n  flowchart:\n    htmlLabels: false\n---\n"


def svg(drawing: str) -> str:
    """The SVG of a Mermaid text."""
    return str(Merman().render_svg(_PLAIN_TEXT + drawing, None)).rstrip() + "\n"
