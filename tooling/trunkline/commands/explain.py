"""`trunkline explain`: the documentation of a check, or all that is known of a flow or node."""

import re
from pathlib import Path

import click

from trunkline.checks.documentation import documentation
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.report.explanation import explanation


@click.command("explain")
@click.argument("subject", metavar="CODE")
@click.pass_obj
def command(root: Path, subject: str) -> int:
    """What a check finds, why it matters on the phone, and what to write instead."""
    code = subject.upper()
    about = documentation().get(code)
    if about is None:
        known = documentation()
        if re.fullmatch(r"TL\d*", code) is None:
            raise FatalError(f"{subject}: this is no code of a check, such as TL401")
        hint = did_you_mean(code, known) or f"Known: {', '.join(known)}."
        raise FatalError(f"{code}: there is no such check. {hint}")
    click.echo(explanation(about), nl=False)
    return 0
