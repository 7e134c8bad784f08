"""`python -m trunkline_runtime.sandbox`: runs the back ends until it is interrupted."""

import signal
import sys
import threading
from pathlib import Path

import click

from trunkline_runtime.sandbox.faults import UnknownFault
from trunkline_runtime.sandbox.running import running_sandbox


@click.command()
@click.option("--port", default=0, show_default="any free one", help="Port on 127.0.0.1.")
@click.option(
    "--database",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep the back ends' data in this file. Without it, nothing outlives the run.",
)
def main(port: int, database: Path | None) -> None:
    """Run the sandbox of back ends on this machine.

    Prints one NAME=value line for each variable that tools need, then serves. To use them:
    `python -m trunkline_runtime.sandbox > sandbox.env &`, then `set -a; . ./sandbox.env`.
    """
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopped.set())
    try:
        with running_sandbox(port=port, database=database) as sandbox:
            for name, value in sandbox.environment.items():
                click.echo(f"{name}={value}")
            sys.stdout.flush()
            stopped.wait()
    except OSError as error:
        raise click.ClickException(f"the sandbox cannot run: {error.strerror}") from None
    except UnknownFault as error:
        raise click.UsageError(str(error)) from None


if __name__ == "__main__":
    main()
