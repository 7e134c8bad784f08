"""`trunkline new`: a tenant or a flow to go on from, which passes the check as it is."""

import re
from collections.abc import Mapping
from pathlib import Path

import click

from trunkline.failure import FatalError
from trunkline.forge.owners import OWNERS_FILE
from trunkline.model.repository import Repository, read_model
from trunkline.nearest import did_you_mean
from trunkline.scaffold.flow import flow_text, granted_purpose
from trunkline.scaffold.tenant import tenant_files
from trunkline.source import read_repository
from trunkline_runtime.table.durable import make_folder, replace_durably

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_LONGEST_ID = 63


@click.group("new", no_args_is_help=True)
def command() -> None:
    """Writes the first version of a tenant or a flow. Files that are there stay as they are."""


@command.command("tenant")
@click.argument("tenant", metavar="ID")
@click.pass_obj
def new_tenant(root: Path, tenant: str) -> int:
    """A tenant: its settings and channels."""
    _refuse_other_ids(tenant)
    if tenant == "shared":
        raise FatalError("`shared` is where flows for several tenants are kept: take another id")
    _write(root, tenant_files(tenant))
    click.echo(f"next: trunkline new flow {tenant} ID")
    if _is_there(root / OWNERS_FILE):
        click.echo("      trunkline codeowners, so that somebody owns its folder")
    if _is_there(root / "policy/purposes.yaml"):
        click.echo(
            f"      for outbound calls, have compliance grant {tenant} a purpose in "
            "policy/purposes.yaml"
        )
    return 0


@command.command("flow")
@click.argument("tenant")
@click.argument("flow", metavar="ID")
@click.option(
    "--direction",
    type=click.Choice(["inbound", "outbound"]),
    default="inbound",
    show_default=True,
    help="Who calls.",
)
@click.pass_obj
def new_flow(root: Path, tenant: str, flow: str, direction: str) -> int:
    """A flow of a tenant, in block style."""
    _refuse_other_ids(flow)
    if flow in ("tenant", "channels"):
        raise FatalError(f"{flow}.yaml holds something else in a tenant's folder: take another id")
    repository = read_model(read_repository(root))
    _refuse_unknown(repository, tenant)
    purpose = granted_purpose(repository.policy, tenant, direction)
    if purpose is None and direction == "outbound" and repository.policy.documents:
        raise FatalError(
            f"policy/purposes.yaml grants {tenant} no purpose of outbound calls, so none of them "
            "could ever be made: have compliance grant one first"
        )
    text = flow_text(repository, tenant, flow, direction, purpose)
    _write(root, {f"flows/{tenant}/{flow}.yaml": text})
    click.echo(f"next: trunkline check flows/{tenant}/{flow}.yaml")
    return 0


def _is_there(file: Path) -> bool:
    """True if the file is there; false also in a folder that may not be looked into."""
    try:
        return file.is_file()
    except OSError:
        return False


def _refuse_other_ids(id: str) -> None:
    if _ID.match(id) is None or len(id) > _LONGEST_ID:
        raise FatalError(
            f"{id!r} cannot be an id: small letters, digits and single hyphens, such as acme-energy"
        )


def _refuse_unknown(repository: Repository, tenant: str) -> None:
    if tenant in repository.tenants:
        return
    path = f"flows/{tenant}/tenant.yaml"
    if path in repository.broken:
        raise FatalError(f"{path} has errors; `trunkline check {path}` tells them")
    hint = did_you_mean(tenant, repository.tenants) or f"`trunkline new tenant {tenant}` makes it."
    raise FatalError(f"there is no tenant {tenant} in flows/. {hint}")


def _write(root: Path, files: Mapping[str, str]) -> None:
    """Writes all files, or none where one of them is there already. Raises FatalError."""
    for path in files:
        if (root / path).exists() or (root / path).is_symlink():
            raise FatalError(f"{path} is there already; it was left as it is")
    try:
        for path, text in files.items():
            make_folder((root / path).parent)
            replace_durably(root / path, text.encode())
    except OSError as problem:
        raise FatalError(f"{path} cannot be written: {problem.strerror}") from None
    for path in files:
        click.echo(f"wrote {path}")
