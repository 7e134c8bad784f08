"""`pull TENANT[:TAG] --from STORE`: a release and the newest policy, proven before use."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from trunkline_runtime.commands.counting import counted
from trunkline_runtime.commands.options import (
    format_option,
    from_option,
    into_option,
    split_name,
)
from trunkline_runtime.release.pull import Pulled, pull
from trunkline_runtime.release.store import open_source


@click.command("pull")
@click.argument("release", metavar="TENANT[:TAG]")
@from_option(required=True, says="The store to pull from")
@into_option
@format_option
def command(release: str, store: str, cache: Path, form: str) -> None:
    """Fetch and verify a tenant's release and the newest policy.

    Without a tag what the tenant's channels take is pulled; without channels, the newest release.
    Whatever is refused, the release that was current still is, and the exit code is 1.
    """
    tenant, tag = split_name(release)
    pulled = pull(open_source(store), cache, tenant, tag, datetime.now(UTC))
    click.echo(_as_json(pulled) if form == "json" else _as_text(pulled, cache))


def _as_text(pulled: Pulled, cache: Path) -> str:
    moved = pulled.moved
    return "\n".join(
        (
            f"{pulled.tenant} {pulled.tag} is verified and current",
            f"  digest   {pulled.digest}",
            f"  flows    {', '.join(pulled.flows) or 'none'}",
            f"  channels {_channels(pulled)}",
            *(f"  left out {name}: {why}" for name, why in pulled.left_out.items()),
            f"  policy   {pulled.policy_tag or 'none in the store: what needs one is denied'}",
            f"  fetched  {counted(moved.blobs, 'blob')}, {counted(moved.bytes, 'byte')}; "
            f"{moved.held} {'was' if moved.held == 1 else 'were'} here already",
            f"  into     {cache}",
        )
    )


def _channels(pulled: Pulled) -> str:
    return ", ".join(f"{name} {tag}" for name, tag in sorted(pulled.channels.items()))


def _as_json(pulled: Pulled) -> str:
    return json.dumps(
        {
            "version": 1,
            "tenant": pulled.tenant,
            "tag": pulled.tag,
            "digest": pulled.digest,
            "flows": list(pulled.flows),
            "channels": dict(pulled.channels),
            "left_out": dict(pulled.left_out),
            "policy": pulled.policy_tag,
            "fetched": {"blobs": pulled.moved.blobs, "bytes": pulled.moved.bytes},
            "held": pulled.moved.held,
        },
        indent=2,
    )
