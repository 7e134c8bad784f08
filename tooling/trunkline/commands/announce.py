"""`trunkline announce`: makes each release of a store a release on GitHub, with its notes."""

from pathlib import Path

import click

from trunkline.commands.storing import from_store
from trunkline.failure import FatalError
from trunkline.forge.announce import Pending, announce, checksums, pending
from trunkline.forge.github import github_here
from trunkline.release.store import Store


@click.command("announce")
@from_store(required=True)
@click.option(
    "--list",
    "listing",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Announce nothing; write what would be to FILE, as sha256sum does, if there is any.",
)
@click.pass_obj
def command(root: Path, store: Store, listing: Path | None) -> None:
    """Announces what GitHub does not show yet. Running it again changes nothing.

    Needs GITHUB_REPOSITORY and GH_TOKEN, and the tags pushed.
    """
    github = github_here()
    found = pending(github, store, root)
    if listing is not None:
        _write(listing, found)
    else:
        from trunkline.forge.render.notes import notes

        for one in found:
            announce(github, one, lambda one: notes(root, one))
    for one in found:
        click.echo(f"{one.release.git_tag}  {one.release.digest}")
    if not found:
        click.echo("everything is announced")


def _write(path: Path, found: tuple[Pending, ...]) -> None:
    """No file says that there is nothing: what attests it asks whether the file is there."""
    try:
        path.unlink(missing_ok=True)
        if found:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(checksums(found), encoding="utf-8")
    except OSError as error:
        raise FatalError(f"{path} can't be written: {error.strerror}") from None
