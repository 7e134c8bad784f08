"""`pull TENANT[:TAG] --from STORE`: a release and the newest policy, proven before use."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from trunkline_runtime.commands.options import format_option, into_option, split_name
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.source import FolderSource


@click.command("pull")
@click.argument("release", metavar="TENANT[:TAG]")
@click.option(
    "--from",
    "store",
    type=click.Path(path_type=Path),
    envvar="TRUNKLINE_STORE",
    required=True,
    help="The store to pull from (or TRUNKLINE_STORE).",
)
@into_option
@format_option
def command(release: str, store: Path, cache: Path, form: str) -> None:
    """Fetch and verify a tenant's release and the newest policy.

    Without a tag the newest release is pulled. Whatever is refused, the release that was current
    still is, and the exit code is 1.
    """
    tenant, tag = split_name(release)
    pulled = pull(FolderSource(store), cache, tenant, tag, datetime.now(UTC))
    click.echo(_as_json(pulled) if form == "json" else _as_text(pulled, cache))


def _as_text(pulled: Pulled, cache: Path) -> str:
    moved = pulled.moved
    return "\n".join(
        (
            f"{pulled.tenant} {pulled.tag} is verified and current",
            f"  digest   {pulled.digest}",
            f"  flows    {', '.join(pulled.flows) or 'none'}",
            f"  policy   {pulled.policy_tag or 'none in the store: what needs one is denied'}",
            f"  fetched  {moved.blobs} blobs, {moved.bytes} bytes; {moved.held} were here already",
            f"  into     {cache}",
        )
    )


def _as_json(pulled: Pulled) -> str:
    return json.dumps(
        {
            "version": 1,
            "tenant": pulled.tenant,
            "tag": pulled.tag,
            "digest": pulled.digest,
            "flows": list(pulled.flows),
            "policy": pulled.policy_tag,
            "fetched": {"blobs": pulled.moved.blobs, "bytes": pulled.moved.bytes},
            "held": pulled.moved.held,
        },
        indent=2,
    )
