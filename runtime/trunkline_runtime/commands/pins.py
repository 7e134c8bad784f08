"""`pins`: which release each channel takes on this machine, and how many calls hold which."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from trunkline_runtime.commands.options import format_option, into_option
from trunkline_runtime.release.overview import CurrentRelease, Overview, overview
from trunkline_runtime.release.workers import Hold
from trunkline_runtime.table.layout import POLICY_NAME

_WIDTH = 160  # characters, where no terminal says how wide it is


@click.command("pins")
@into_option
@format_option
def command(cache: Path, form: str) -> None:
    """Show which release each channel takes here, and how many calls hold which.

    Calls are counted from the reports of the workers that are running.
    """
    found = overview(cache)
    if form == "json":
        click.echo(_as_json(found))
    else:
        _print(found, datetime.now(UTC))


def _print(found: Overview, now: datetime) -> None:
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    if not found.current:
        console.print("Nothing was pulled yet: trunkline-runtime pull TENANT --from STORE")
        return
    table = Table(box=None)
    for heading in ("tenant", "channel", "release", "digest", "current for", "calls", "worker"):
        table.add_column(heading, no_wrap=heading != "worker")
    for row in found.current:
        if row.fault is not None:
            table.add_row(row.name, "", "damaged", row.fault, "", "", "")
            continue
        mine = [hold for hold in found.holds if row.channel in hold.channels and _same(hold, row)]
        for number, hold in enumerate(mine or [None]):
            calls = "" if row.name == POLICY_NAME else str(hold.calls if hold else 0)
            worker = hold.worker if hold else ""
            if number == 0:
                table.add_row(*_first(row, now), calls, worker)
            else:
                table.add_row("", "", row.tag, _short(row.digest), "", calls, worker)
    for hold in found.holds:
        if not hold.current:
            digest = _short(hold.digest)
            table.add_row(
                hold.tenant, "draining", hold.tag, digest, "", str(hold.calls), hold.worker
            )
    console.print(table)
    for row in found.current:
        if row.expires is not None and now >= row.expires:
            when = f"{row.expires:%Y-%m-%d %H:%M} UTC"
            console.print(f"{row.name} {row.channel} expired on {when}: this is the last good one")


def _first(row: CurrentRelease, now: datetime) -> tuple[str, ...]:
    channel = row.channel or ""
    share = "" if row.percent in (None, 100) else f" {row.percent}%"
    return row.name, channel + share, row.tag or "", _short(row.digest), _age(row.since, now)


def _same(hold: Hold, row: CurrentRelease) -> bool:
    return (hold.tenant, hold.digest) == (row.name, row.digest)


def _short(digest: str | None) -> str:
    """Enough of a digest to tell releases apart; `--format json` gives all of it."""
    return (digest or "")[:19]


def _age(since: datetime | None, now: datetime) -> str:
    if since is None:
        return ""
    minutes = max(0, int((now - since).total_seconds() // 60))
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} days"


def _as_json(found: Overview) -> str:
    current = [
        {
            "tenant": row.name,
            "channel": row.channel,
            "tag": row.tag,
            "digest": row.digest,
            "since": row.since.isoformat() if row.since else None,
            "percent": row.percent,
            "expires": row.expires.isoformat() if row.expires else None,
            "fault": row.fault,
        }
        for row in found.current
    ]
    held = [
        {
            "worker": hold.worker,
            "tenant": hold.tenant,
            "tag": hold.tag,
            "digest": hold.digest,
            "channels": list(hold.channels),
            "calls": hold.calls,
            "at": hold.at.isoformat(),
        }
        for hold in found.holds
    ]
    return json.dumps({"version": 1, "current": current, "holds": held}, indent=2)
