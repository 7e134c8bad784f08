"""`trunkline drift`: where this commit, git's tags and a store differ in what is released."""

from pathlib import Path

import click

from trunkline.commands.storing import from_store
from trunkline.failure import FatalError
from trunkline.forge.drift import ahead, drift
from trunkline.release.git import commit_of
from trunkline.release.store import Store


@click.command("drift")
@from_store(required=True)
@click.option(
    "--only",
    type=click.Choice(["ahead"]),
    help="ahead: only what was released from a commit that this one does not contain.",
)
@click.pass_obj
def command(root: Path, store: Store, only: str | None) -> int:
    """Compares the commit that is checked out with what the store holds."""
    if commit_of(root) is None:
        raise FatalError(f"{root} has no commit that could be compared with a store")
    if only == "ahead":
        found = ahead(root, store)
    else:
        from trunkline.compile import compile_repository

        found = drift(root, store, compile_repository(root))
    for one in found:
        click.echo(f"{one.kind:<10}  {one.message}")
    if not found:
        click.echo("no drift")
    return int(bool(found))
