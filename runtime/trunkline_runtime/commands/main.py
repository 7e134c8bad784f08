"""`trunkline-runtime`: finds the command, and turns a failure into one clear message."""

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec

import click

from trunkline_runtime.failure import FatalError

FINE, WRONG, BUG, INTERRUPTED = 0, 2, 3, 130

# What each command does, said without importing it: `--help` and `pull` load no LiveKit.
_COMMANDS: Mapping[str, str] = {
    "audit": "Verify, search and export the record of decisions.",
    "call": "Hold a text call in the terminal.",
    "follow": "Keep a cache in step with a store.",
    "job": "Check what asks a worker for a call.",
    "kill": "Stop a tenant, a flow or a tool at once.",
    "pins": "Show which release each channel takes here, and how many calls hold which.",
    "pull": "Fetch and verify a tenant's release and the newest policy.",
    "replay": "Run a recorded call against another release.",
    "verify": "Check a cache or a store, and explain a refusal.",
    "worker": "Answer and make calls.",
}


class _CommandsByName(click.Group):
    """A group whose commands are modules of this package, imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for name in _COMMANDS if find_spec(_module(name)) is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command = import_module(_module(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, _COMMANDS[name]) for name in self.list_commands(ctx)])


@click.group(cls=_CommandsByName, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="trunkline", prog_name="trunkline-runtime")
def trunkline_runtime() -> None:
    """Runs calls on pinned releases, with policy in front of every tool."""


def main() -> None:
    """Runs the command line and exits.

    0 fine, 1 refused, 2 wrong usage or nothing readable, 3 a bug of ours.
    """
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character must not turn a transcript into a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command; everything that the operator must know has been printed."""
    try:
        code = trunkline_runtime.main(
            list(arguments), prog_name="trunkline-runtime", standalone_mode=False
        )
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        return WRONG
    except FatalError as problem:
        click.echo(f"trunkline-runtime: {problem}", err=True)
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("trunkline-runtime: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FINE
    except Exception as problem:
        if os.environ.get("TRUNKLINE_DEBUG"):
            raise
        click.echo(
            f"trunkline-runtime: this is a bug of Trunkline ({type(problem).__name__}). "
            "Please report it; TRUNKLINE_DEBUG=1 shows where it happened.",
            err=True,
        )
        return BUG
    return code if isinstance(code, int) else FINE


def _module(name: str) -> str:
    return f"{__package__}.{name}"
