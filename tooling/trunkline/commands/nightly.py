"""`trunkline nightly`: what ran out or drifted apart by itself, as one page and one issue."""

from datetime import UTC, datetime
from pathlib import Path

import click

from trunkline.commands.storing import from_store
from trunkline.forge.github import github_here
from trunkline.forge.night import keep_issue, page
from trunkline.forge.notices import notices
from trunkline.release.store import Store


def _instant(context: click.Context, parameter: click.Parameter, text: str | None) -> datetime:
    from trunkline_runtime.policy.clock import instant

    try:
        return instant(text) if text else datetime.now(UTC)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command("nightly")
@from_store(required=False, says="; without one nothing is said of what is released")
@click.option("--at", metavar="INSTANT", callback=_instant, help="Look at another time than now.")
@click.option("--issue", is_flag=True, help="Keep one issue on GitHub for as long as it holds.")
@click.pass_obj
def command(root: Path, store: Store | None, at: datetime, issue: bool) -> int:
    """Prints Markdown. Exits with 1 if something has run out, with 0 if it is only about to."""
    github = github_here() if issue else None
    found = notices(root, store, at)
    urgent = any(notice.urgent for notice in found)
    text = page(found)
    click.echo(text, nl=False)
    if github is not None:
        click.echo(f"issue: {keep_issue(github, text, urgent=urgent)}", err=True)
    return int(urgent)
