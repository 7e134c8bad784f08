"""`make demo`: the whole road once, from three tenants' YAML to three calls.

Everything is real: the check, the digests, the store, the release that each call is pinned to, the
gate, the sandbox's back ends. Only the model's choices and the callers' words come from scenario
files, whose clocks make every run the same at any time of day. No network, no account, no model.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from trunkline.commands.main import run as trunkline
from trunkline.compile import compile_repository
from trunkline.failure import FatalError
from trunkline.scenario.demo.tables import compiled_table, heading, what_next, wide_console
from trunkline_runtime.commands.main import run as trunkline_runtime
from trunkline_runtime.sandbox import running_sandbox
from trunkline_runtime.state import STATE_VARIABLE

# The checkout that this module is part of: the demo is of its tenants.
ROOT = Path(__file__).resolve().parents[4]


@dataclass(frozen=True)
class DemoCall:
    """A scenario of a flow, to be played."""

    tenant: str
    flow: str
    scenario: str

    @property
    def script(self) -> str:
        return f"flows/{self.tenant}/scenarios/{self.flow}.yaml"


CALLS = (
    DemoCall("northwind-energy", "overdue-invoice", "pays after verification"),
    DemoCall("harbor-medical", "appointments", "is put through to aesthetics when no time suits"),
    DemoCall(
        "northwind-energy",
        "overdue-invoice",
        "the payment is not made before the person is verified",
    ),
)


class Stopped(RuntimeError):
    """A step of the demo did not succeed. What was wrong has been printed."""


def main(root: Path = ROOT) -> int:
    """Runs the demo of a checkout and prints it; gives the exit code.

    0 if every step did what it should, 1 if one did not, 2 if the demo cannot run here, 130 if it
    was interrupted.
    """
    if not (root / "flows").is_dir():
        return _stopped("it needs a checkout of Trunkline, with its flows/", 2)
    console = wide_console()
    folder = root / "build" / "demo"
    try:
        with _from_scratch(root, folder):
            _run(console, Path("build") / "demo")
    except Stopped as stopped:
        return _stopped(str(stopped), 1)
    except FatalError as error:
        return _stopped(str(error), 1)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _stopped(f"{error.filename or folder}: {error.strerror or error}", 2)
    except KeyboardInterrupt:
        return _stopped("interrupted", 130)
    what_next(console)
    return 0


def _stopped(why: str, code: int) -> int:
    sys.stdout.flush()
    print(f"the demo stopped: {why}", file=sys.stderr)
    return code


def _run(console: Console, folder: Path) -> None:
    heading(console, 1, "Check and compile the three tenants", "trunkline check")
    _must(trunkline, ["check"])
    compiled = compile_repository(Path())
    compiled_table(console, compiled)
    heading(console, 2, "Publish them to a local store", f"trunkline publish --to {folder}/store")
    _publish(folder)
    store, cache = f"{folder}/store", f"{folder}/releases"
    pulled: set[str] = set()
    for number, call in enumerate(CALLS, start=3):
        pull = ["pull", call.tenant, "--from", store, "--into", cache]
        name = f"{call.tenant}/{call.flow}"
        play = ["call", name, "--into", cache, "--script", call.script, "--scenario", call.scenario]
        shown = f'trunkline-runtime {" ".join(play[:-1])} "{play[-1]}" --sandbox'
        if call.tenant in pulled:
            title = f"Hold a call that the gate stops: {call.scenario}"
            heading(console, number, title, shown)
        else:
            title = f"Pull {call.tenant}, pin it, and hold a call: {call.scenario}"
            heading(console, number, title, f"trunkline-runtime {' '.join(pull)}", shown)
            _must(trunkline_runtime, pull)
            pulled.add(call.tenant)
            print()
        with running_sandbox() as sandbox, _variables(sandbox.environment):
            _must(trunkline_runtime, play)


def _must(command: Callable[[Sequence[str]], int], arguments: Sequence[str]) -> None:
    """Runs a command as its entry point does. Raises Stopped if it does not succeed."""
    sys.stdout.flush()
    if command(arguments) != 0:
        raise Stopped(f"`{' '.join(arguments)}` did not succeed")


def _publish(folder: Path) -> None:
    """Publishes a copy of the sources that stands in no git repository.

    In yours, the command would tag the commit as well, and a demo leaves no tags behind.
    """
    copy = folder / "sources"
    for name in ("flows", "catalog", "policy"):
        shutil.copytree(name, copy / name)
    _must(trunkline, ["-C", str(copy), "publish", "--to", f"{folder}/store"])


@contextmanager
def _from_scratch(root: Path, folder: Path) -> Iterator[None]:
    """The repository as the working folder, and state in an empty folder of the demo's own.

    What is set up for other work (keys, lists, a store, failures on purpose) has no say in it.
    """
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    before = Path.cwd()
    # Git looks no further up than the demo's own folder, which is no repository.
    own = {STATE_VARIABLE: str(folder / "state"), "GIT_CEILING_DIRECTORIES": str(folder)}
    try:
        os.chdir(root)
        with _variables(own, without="TRUNKLINE_"):
            yield
    finally:
        os.chdir(before)


@contextmanager
def _variables(assigned: Mapping[str, str], without: str | None = None) -> Iterator[None]:
    """The environment with these variables, and without those that begin so."""
    before = dict(os.environ)
    for name in before if without else ():
        if name.startswith(str(without)) and name != "TRUNKLINE_DEBUG":
            del os.environ[name]
    os.environ.update(assigned)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character must not turn a transcript into a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())
