"""`trunkline-runtime`: finds the command, and turns a failure into one clear message."""

import importlib
import os
import sys
from collections.abc import Mapping
from importlib.util import find_spec

import click

from trunkline_runtime.failure import FatalError

# What each command does, said without importing it: `--help` and `pull` load no LiveKit.
_COMMANDS: Mapping[str, str] = {
    "audit": "Verify, search and export the record of decisions.",
    "call": "Hold a text call in the terminal.",
    "pins": "Show which releases are current here and how many calls hold them.",
    "pull": "Fetch and verify a tenant's release and the newest policy.",
    "replay": "Run a recorded call against another release.",
    "verify": "Check a cache or a store, and explain a refusal.",
    "worker": "Answer and make calls.",
}
_BUG = 3


class _CommandsByName(click.Group):
    """Commands are modules of this package, imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in _COMMANDS if find_spec(_module(name)) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = getattr(importlib.import_module(_module(cmd_name)), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name]) for name in self.list_commands(ctx)])


@click.command(cls=_CommandsByName, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trunkline", prog_name="trunkline-runtime")
def cli() -> None:
    """Runs calls on pinned releases, with policy in front of every tool."""


def main() -> None:
    """The entry point. Exit codes: 0 fine, 1 refused, 2 wrong usage or nothing readable, 3 a bug.

    With TRUNKLINE_DEBUG=1 a bug shows its traceback.
    """
    try:
        cli()
    except FatalError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(error.exit_code)
    except Exception as error:
        if os.environ.get("TRUNKLINE_DEBUG"):
            raise
        click.echo(
            f"error: trunkline-runtime failed in a way that it should not "
            f"({type(error).__name__}). Please report it; TRUNKLINE_DEBUG=1 shows where.",
            err=True,
        )
        sys.exit(_BUG)


def _module(name: str) -> str:
    return f"{__package__}.{name}"
