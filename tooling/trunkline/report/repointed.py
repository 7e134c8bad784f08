"""What a channel took before and takes now, a line for each tenant; or JSON."""

import json
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from trunkline.release.repoint import Repointed
from trunkline.report.terminal import drawn
from trunkline_runtime.table.channel import Channel

VERSION = 1


def as_text(done: Sequence[Repointed]) -> str:
    """`tenant  channel  v13 → v12 (100%)  held until a pull request changes it`."""
    return drawn(lambda console: _draw(console, done))


def as_json(done: Sequence[Repointed]) -> str:
    """`{"version", "channels": [{"tenant", "before", "after", "left", "note"}]}`."""
    rows = [
        {
            "tenant": one.tenant,
            "before": _row(one.before),
            "after": _row(one.after),
            "left": one.left,
            "note": one.note,
        }
        for one in done
    ]
    return json.dumps({"version": VERSION, "channels": rows}, indent=2, ensure_ascii=True) + "\n"


def _draw(console: Console, done: Sequence[Repointed]) -> None:
    wide = max((len(one.tenant) for one in done), default=0)
    for one in done:
        name = (f"{one.tenant:{wide}}", "bold")
        if one.after is None or one.left is not None:
            console.print(Text.assemble(name, f"  left as it is: {one.left}"))
            continue
        before = one.before.release if one.before else "nothing"
        now = f"{one.after.name}  {before} → {one.after.release} ({one.after.percent}%)"
        console.print(
            Text.assemble(name, f"  {now}  ", ("held until a pull request changes it", "yellow"))
        )
        if one.note:
            console.print(Text(f"{'':{wide}}  {one.note}"))


def _row(channel: Channel | None) -> dict[str, object] | None:
    if channel is None:
        return None
    return {
        "channel": channel.name,
        "release": channel.release,
        "percent": channel.percent,
        "sequence": channel.sequence,
        "hold": channel.hold,
        "by": channel.by,
        "reason": channel.reason,
        "expires": channel.expires.isoformat(),
    }
