"""`trunkline codeowners`: who must review what, made from the tenants and .github/owners.yaml."""

from pathlib import Path

import click

from trunkline.failure import FatalError
from trunkline.forge.owners import CODEOWNERS_FILE, OWNERS_FILE, codeowners, read_owners, tenants_of


@click.command("codeowners")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the file is not fresh.")
@click.pass_obj
def command(root: Path, check: bool) -> int:
    """Writes .github/CODEOWNERS."""
    text = codeowners(read_owners(root), tenants_of(root))
    path = root / CODEOWNERS_FILE
    try:
        fresh = path.read_bytes() == text.encode("utf-8")
    except FileNotFoundError:
        fresh = False
    except OSError as error:
        raise FatalError(f"{CODEOWNERS_FILE} can't be read: {error.strerror}") from None
    if fresh:
        click.echo(f"{CODEOWNERS_FILE} is fresh")
        return 0
    if check:
        click.echo(
            f"{CODEOWNERS_FILE} is not what {OWNERS_FILE} and the tenants make of it: "
            "run `trunkline codeowners` and commit it"
        )
        return 1
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FatalError(f"{CODEOWNERS_FILE} can't be written: {error.strerror}") from None
    click.echo(f"wrote {CODEOWNERS_FILE}")
    return 0
