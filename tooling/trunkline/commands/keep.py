"""`trunkline keep`: commits and pushes a store that lives on a branch of its own."""

from pathlib import Path

import click

from trunkline.forge.keep import keep
from trunkline.release.git import commit_of


@click.command("keep")
@click.argument("store", type=click.Path(path_type=Path))
@click.pass_obj
def command(root: Path, store: Path) -> None:
    """Makes what publish wrote to the checkout STORE last: a commit on its branch, pushed."""
    commit = commit_of(root)
    kept = keep(store, f"Released from {commit}" if commit else "Released")
    click.echo(f"{store} is pushed" if kept == "pushed" else f"{store} is what its branch holds")
