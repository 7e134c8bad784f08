"""Books of the gate that go away with a scripted call: on them, but for kill switches, is nothing.

A scripted call has a clock of its own and opts out numbers that others are tried with, so it must
not write where real calls are counted. What was stopped at once is stopped for it too.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.ledger import Ledger, LedgerDown
from trunkline_runtime.gate.ledger.ledger import LEDGER_FILE, URL_VARIABLE
from trunkline_runtime.gate.ledger.place import is_there
from trunkline_runtime.gate.ledger.switches import KillSwitch
from trunkline_runtime.gate.second_place import COPY_VARIABLE
from trunkline_runtime.state import state_folder


@contextmanager
def passing_books() -> Iterator[Path]:
    """A folder for the gate's state, no other ledger and no copy of it, while the block runs.

    Raises FatalError if the switches of this machine cannot be read: in doubt nothing runs.
    """
    try:
        switches = _switches_here()
    except LedgerDown as problem:
        raise FatalError(f"whether anything is stopped here cannot be read: {problem}") from None
    elsewhere = {
        name: os.environ.pop(name) for name in (URL_VARIABLE, COPY_VARIABLE) if name in os.environ
    }
    try:
        with tempfile.TemporaryDirectory(prefix="trunkline-") as name:
            if switches:
                _put(switches, Path(name))
            yield Path(name)
    finally:
        os.environ.update(elsewhere)


def _switches_here() -> tuple[KillSwitch, ...]:
    folder = state_folder()
    if not is_there(folder):
        return ()
    ledger = Ledger.of_environment(folder)
    try:
        with ledger.asking() as transaction:
            return transaction.all_switches()
    finally:
        ledger.close()


def _put(switches: tuple[KillSwitch, ...], folder: Path) -> None:
    ledger = Ledger.at(folder / LEDGER_FILE)
    try:
        with ledger.transaction() as transaction:
            for switch in switches:
                transaction.turn_on(switch)
    finally:
        ledger.close()
