"""`pins`: which releases are current on this machine, and how many calls hold which."""

import json
from datetime import UTC, datetime
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from trunkline_runtime.commands.options import format_option, into_option
from trunkline_runtime.release.overview import CurrentRelease, Overview, overview
from trunkline_runtime.release.workers import Hold
from trunkline_runtime.table.layout import POLICY_NAME


@click.command("pins")
@into_option
@format_option
def command(cache: Path, form: str) -> None:
    """Show which releases are current here and how many calls hold them.

    Calls are counted from the reports of the workers that are running.
    """
    found = overview(cache)
    if form == "json":
        click.echo(_as_json(found))
    else:
        _print(found, datetime.now(UTC))


def _print(found: Overview, now: datetime) -> None:
    console = Console()
    if not found.current:
        console.print("Nothing was pulled yet: trunkline-runtime pull TENANT --from STORE")
        return
    table = Table("tenant", "release", "digest", "current for", "calls", box=None)
    for row in found.current:
        # Calls take the newest policy at each decision; none of them holds one.
        calls = "" if row.name == POLICY_NAME else str(sum(h.calls for h in _of(found, row)))
        if row.fault is not None:
            table.add_row(row.name, "damaged", row.fault, "", "")
        else:
            table.add_row(row.name, row.tag, _short(row.digest), _age(row.since, now), calls)
    for hold in found.holds:
        if not hold.current:
            worker = f"draining in {hold.worker}"
            table.add_row(hold.tenant, hold.tag, _short(hold.digest), worker, str(hold.calls))
    console.print(table)


def _of(found: Overview, row: CurrentRelease) -> list[Hold]:
    return [h for h in found.holds if (h.tenant, h.digest) == (row.name, row.digest)]


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
            "tag": row.tag,
            "digest": row.digest,
            "since": row.since.isoformat() if row.since else None,
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
            "current": hold.current,
            "calls": hold.calls,
            "at": hold.at.isoformat(),
        }
        for hold in found.holds
    ]
    return json.dumps({"version": 1, "current": current, "holds": held}, indent=2)
