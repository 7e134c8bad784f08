"""`trunkline publish`: releases what changed to a store, one tag per tenant, the policy too."""

from datetime import timedelta
from importlib.metadata import version
from pathlib import Path

import click

from trunkline.commands.storing import told
from trunkline.compile import Compiled, compile_repository
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.release.channel_plan import VALID
from trunkline.release.open_store import open_store
from trunkline.release.publish import Terms, publish
from trunkline.release.signing import signing_here
from trunkline.report import report
from trunkline.report.excerpt import Excerpts
from trunkline.report.published import as_json, as_text
from trunkline.source.tree import WorkingTree


@click.command("publish")
@click.option(
    "--to",
    "store",
    metavar="STORE",
    envvar="TRUNKLINE_STORE",
    help="A folder or oci://HOST/PREFIX; else TRUNKLINE_STORE, else build/store.",
)
@click.option("--tenant", "chosen", multiple=True, help="Release this tenant alone (repeatable).")
@click.option("--resign", is_flag=True, help="Sign all that the store holds, too (a new key).")
@click.option(
    "--valid-days",
    type=click.IntRange(1, 366),
    default=VALID.days,
    show_default=True,
    help="How long a channel lasts; publishing renews it when half of that is over.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_obj
def command(
    root: Path,
    store: str | None,
    chosen: tuple[str, ...],
    resign: bool,
    valid_days: int,
    form: str,
) -> int:
    """Releases what changed: immutable, tagged, one artifact per tenant and one for the policy.

    Compiles first and publishes nothing if there is an error anywhere. What says the same as its
    newest release gets no new one. Signs with the key in TRUNKLINE_SIGNING_KEY, if it is set.
    """
    compiled = compile_repository(root)
    errors = [finding for finding in compiled.findings if finding.severity == "error"]
    if errors:
        click.echo(report(form)(errors, Excerpts(WorkingTree(root))), nl=False)
        click.echo("trunkline: nothing was published: mend the errors first", err=True)
        return 1
    place = store or str(root / "build" / "store")
    tenants = _tenants(compiled, chosen)
    terms = Terms(
        signing_here(resign),
        compiled.repository.channels,
        valid=timedelta(days=valid_days),
    )
    with told(place):
        publication = publish(
            compiled, open_store(place), root, version("trunkline"), tenants, terms
        )
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
