"""`trunkline diff`: what changes in calls between two revisions."""

import json
import sys
from pathlib import Path

import click

from trunkline.diff.level import LEVELS
from trunkline.diff.render.json_report import to_json
from trunkline.diff.render.markdown import render_markdown
from trunkline.diff.render.text import render_text
from trunkline.diff.report import Report, compare_revisions


@click.command("diff")
@click.argument("base")
@click.argument("head", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
)
@click.option(
    "--fail-on",
    type=click.Choice(list(LEVELS)),
    help="Exit with 1 if a change of that level or worse is not accepted.",
)
@click.pass_obj
def command(root: Path, base: str, head: str | None, form: str, fail_on: str | None) -> int:
    """Says what callers will hear and what the agent can newly do.

    BASE and HEAD are revisions as git names them; HEAD is the working tree if it is left out.
    A revision with findings is compared as far as it can be read.
    """
    report = compare_revisions(root, base, head)
    click.echo(_rendered(report, form), nl=False)
    sys.stdout.flush()
    return int(fail_on is not None and report.reaches(LEVELS[fail_on]))


def _rendered(report: Report, form: str) -> str:
    if form == "json":
        return json.dumps(to_json(report), indent=2, ensure_ascii=False) + "\n"
    return render_markdown(report) if form == "markdown" else render_text(report)
