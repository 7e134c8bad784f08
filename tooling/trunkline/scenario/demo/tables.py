"""What the demo prints around the commands that it runs."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from trunkline.compile import Compiled

# Two names and a digest beside each other; a narrower terminal wraps the line and cuts nothing.
_WIDTH = 130


def wide_console() -> Console:
    """A console whose lines are never cut, in a terminal or in a file."""
    console = Console(highlight=False, soft_wrap=True)
    console.width = max(console.width, _WIDTH)
    return console


def heading(console: Console, number: int, title: str, *commands: str) -> None:
    """A step's title, and the commands with which you would do the same."""
    console.print()
    console.print(Text(f"{number}  {title}", style="bold cyan"))
    for command in commands:
        console.print(Text(f"   $ {command}", style="dim"))
    console.print()


def compiled_table(console: Console, compiled: Compiled) -> None:
    """Flow → nodes → digest. The digest is never cut: it is what a call is pinned to."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("flow", no_wrap=True)
    table.add_column("nodes", justify="right")
    table.add_column("tools", justify="right")
    table.add_column("digest of the node table", no_wrap=True)
    for (tenant, flow), digest in sorted(compiled.digests.items()):
        document = compiled.tables[tenant, flow]
        counts = str(len(document["nodes"])), str(len(document.get("tools", ())))
        table.add_row(f"{tenant}/{flow}", *counts, Text(digest, style="green"))
    console.print(table)


def what_next(console: Console) -> None:
    """What to try now, as commands that can be copied."""
    flow = "northwind-energy/overdue-invoice"
    tries = (
        (f"Take `requires: [identity_verified]` out of flows/{flow}.yaml, and look", "check"),
        ("See the flow that was called", f"graph {flow}"),
        ("See what is proven before a payment", f"explain {flow} pay"),
        (
            "Ask why nobody may be called at 7:59 in New York",
            "policy why --tenant northwind-energy --number +12125550143"
            " --at 2026-12-01T12:59:00Z --effect contact",
        ),
    )
    console.print()
    console.print(Text("What to try next", style="bold cyan"))
    for what, command in tries:
        _try(console, what, f".venv/bin/trunkline {command}")
    _try(
        console,
        "Read every decision of these three calls as it is on record",
        "TRUNKLINE_STATE_DIR=build/demo/state .venv/bin/trunkline-runtime audit find",
    )
    _try(
        console,
        "Talk to the clinic yourself, with a model behind TRUNKLINE_LLM_BASE_URL",
        ".venv/bin/trunkline-runtime call harbor-medical/appointments"
        " --from build/demo/store --sandbox",
    )


def _try(console: Console, what: str, command: str) -> None:
    console.print()
    console.print(Text(f"   {what}:"))
    console.print(Text(f"   $ {command}", style="bold"))
