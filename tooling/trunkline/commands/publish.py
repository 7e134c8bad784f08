"""`trunkline publish`: releases what changed to a store, one tag per tenant, the policy too."""

from importlib.metadata import version
from pathlib import Path

import click

from trunkline.compile import Compiled, compile_repository
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.release.publish import publish
from trunkline.report import report
from trunkline.report.excerpt import Excerpts
from trunkline.report.published import as_json, as_text
from trunkline.source.tree import WorkingTree
from trunkline_runtime.table.exclusive import Busy


@click.command("publish")
@click.option(
    "--to",
    "store",
    metavar="STORE",
    type=click.Path(path_type=Path),
    envvar="TRUNKLINE_STORE",
    help="The store's folder; else TRUNKLINE_STORE, else build/store in the repository.",
)
@click.option("--tenant", "chosen", multiple=True, help="Release this tenant alone (repeatable).")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_obj
def command(root: Path, store: Path | None, chosen: tuple[str, ...], form: str) -> int:
    """Releases what changed: immutable, tagged, one artifact per tenant and one for the policy.

    Compiles first and publishes nothing if there is an error anywhere. What says the same as its
    newest release gets no new one.
    """
    compiled = compile_repository(root)
    errors = [finding for finding in compiled.findings if finding.severity == "error"]
    if errors:
        click.echo(report(form)(errors, Excerpts(WorkingTree(root))), nl=False)
        click.echo("trunkline: nothing was published: mend the errors first", err=True)
        return 1
    store = store or root / "build" / "store"
    tenants = _tenants(compiled, chosen)
    try:
        publication = publish(compiled, store, root, version("trunkline"), tenants)
    except Busy:
        click.echo(f"trunkline: another publish to {store} is running; try again later", err=True)
        return 1
    except OSError as error:
        raise FatalError(
            f"{store} can't be written: {error.strerror or error}; "
            "what is published there is whole, and publishing again goes on from it"
        ) from None
    click.echo(as_json(publication) if form == "json" else as_text(publication), nl=False)
    return 0


def _tenants(compiled: Compiled, chosen: tuple[str, ...]) -> list[str]:
    for name in chosen:
        if name not in compiled.tenants:
            hint = did_you_mean(name, compiled.tenants)
            raise FatalError(f"there is no tenant {name!r} in flows/. {hint}".rstrip())
    tenants = sorted(set(chosen) or compiled.tenants)
    if not tenants:
        raise FatalError("there is nothing to publish: no folder of flows/ holds a tenant.yaml")
    return tenants
