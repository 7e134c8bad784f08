"""Findings for a person; that there are none is said at once."""

from collections.abc import Sequence

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts


def render(findings: Sequence[Finding], excerpts: Excerpts) -> str:
    """Each finding, then one line that counts them."""
    if not findings:
        return "No findings.\n"
    # Drawing takes rich, which takes as long to load as all of a check in which nothing changed.
    from trunkline.report.text_drawn import draw

    return draw(findings, excerpts)
