"""`trunkline graph`: a flow as a picture."""

from pathlib import Path

import click

from trunkline.chosen_flow import chosen_flow
from trunkline.model.repository import read_model
from trunkline.report.mermaid import mermaid
from trunkline.source import read_repository


@click.command("graph")
@click.argument("flow", metavar="TENANT/FLOW")
@click.option(
    "--format", "form", type=click.Choice(["mermaid", "svg"]), default="mermaid", show_default=True
)
@click.pass_obj
def command(root: Path, flow: str, form: str) -> int:
    """Draws a flow with its sub-flows in place: the same bytes on every run."""
    analysis = chosen_flow(read_model(read_repository(root)), flow)
    drawing = mermaid(analysis.inlined)
    if form == "svg":
        # 21 MB of renderer, for those who ask for a picture.
        from trunkline.report.svg import svg

        drawing = svg(drawing)
    click.echo(drawing, nl=False)
    return 0
