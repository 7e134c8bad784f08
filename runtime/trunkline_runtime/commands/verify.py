"""`verify [TENANT[:TAG]]`: checks a cache or a store, and says why a release is refused."""

import json
from pathlib import Path

import click

from trunkline_runtime.commands.options import (
    format_option,
    from_option,
    into_option,
    split_name,
)
from trunkline_runtime.release.store import open_source
from trunkline_runtime.release.verify import Verdict, verify

_HELP = (
    "A blob that is missing or altered comes back by pulling again (a cache) or from a copy of "
    "the store; a release that is refused for what it says must be published anew. What nobody "
    "vouches for is signed with `trunkline publish --resign`, by whoever has made sure of it."
)


@click.command("verify")
@click.argument("release", metavar="[TENANT[:TAG]]", required=False)
@from_option(required=False, says="A store to check, in place of the cache")
@into_option
@format_option
def command(release: str | None, store: str | None, cache: Path, form: str) -> int:
    """Check a cache or a store, and explain a refusal.

    Every byte is read and nothing is changed. The exit code is 1 if a release would be refused.
    """
    name, tag = split_name(release) if release is not None else (None, None)
    verdicts = verify(open_source(store or str(cache)), name, tag)
    click.echo(_as_json(verdicts) if form == "json" else _as_text(verdicts))
    return int(any(verdict.faults for verdict in verdicts))


def _as_text(verdicts: tuple[Verdict, ...]) -> str:
    lines: list[str] = []
    for verdict in verdicts:
        state = "refused" if verdict.faults else "sound"
        lines.append(
            f"{state:8} {verdict.name} {verdict.tag or ''} {verdict.digest or ''}".rstrip()
        )
        if verdict.signers:
            lines[-1] += f"  signed by {', '.join(verdict.signers)}"
        if verdict.says is not None:
            lines.append(f"         {verdict.says}")
        lines += [f"         - {fault}" for fault in verdict.faults]
    refused = sum(bool(verdict.faults) for verdict in verdicts)
    lines.append(f"{len(verdicts) - refused} sound, {refused} refused")
    return "\n".join(lines + ([_HELP] if refused else []))


def _as_json(verdicts: tuple[Verdict, ...]) -> str:
    rows = [
        {
            "name": verdict.name,
            "tag": verdict.tag,
            "digest": verdict.digest,
            "sound": not verdict.faults,
            "faults": list(verdict.faults),
            "signed_by": list(verdict.signers),
            "says": verdict.says,
        }
        for verdict in verdicts
    ]
    return json.dumps({"version": 1, "releases": rows}, indent=2)
