"""The entry point: finds the command, and turns every failure into one message and an exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from trunkline.commands.discovery import CommandsByName
from trunkline.failure import FatalError

# What a disk says that takes no more, wherever the output goes.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
FINE, FOUND, WRONG, BUG, INTERRUPTED = 0, 1, 2, 3, 130


@click.group(cls=CommandsByName, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "-C",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path),
    default=Path(),
    help="The repository: the folder that holds flows/, catalog/ and policy/.",
)
@click.version_option(package_name="trunkline", prog_name="trunkline")
@click.pass_context
def trunkline(context: click.Context, folder: Path) -> None:
    """Call flows as code: checks, compiles, compares and publishes them."""
    context.obj = folder


def main() -> None:
    """Runs the command line and exits.

    0 fine, 1 findings or a failed test, 2 wrong usage or nothing readable, 3 a bug of ours.
    """
    if sys.stdout is None:  # closed by whoever started us: nobody wants to read it
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character must not turn a report into a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command; everything the user must know has been printed."""
    try:
        code = trunkline.main(list(arguments), prog_name="trunkline", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as problem:
        problem.show()
        return WRONG
    except FatalError as problem:
        click.echo(f"trunkline: {problem}", err=True)
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("trunkline: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _write_no_more()  # the reader (`| head`) has seen enough
        return FINE
    except Exception as problem:
        if isinstance(problem, OSError) and problem.errno in _NO_ROOM:
            _write_no_more()
            click.echo(f"trunkline: it cannot be written: {problem.strerror}", err=True)
            return WRONG
        if os.environ.get("TRUNKLINE_DEBUG"):
            raise
        click.echo(
            f"trunkline: this is a bug of Trunkline ({type(problem).__name__}), not of your files. "
            "Please report it; TRUNKLINE_DEBUG=1 shows where it happened.",
            err=True,
        )
        return BUG
    return code if isinstance(code, int) else FINE


def _write_no_more() -> None:
    """What is left in the buffer must not be written at exit either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
