"""Ships the record to a second place while calls run, so that a lost machine takes little with it.

A line is on this machine's disk before its decision is given, and in the second place as soon as
that takes it: at least once, in order, from where the last copy ended, whoever was killed since. A
second place that does not answer stops no call; the lines wait here, and that is logged.
"""

import logging
import os
import threading
from pathlib import Path

from trunkline_runtime.gate.shipping import CopyDiffers, Shipment

COPY_VARIABLE = "TRUNKLINE_RECORD_COPY"
# How long is waited after a copy that failed: at first, and at most.
_FIRST_WAIT, _LONGEST_WAIT = 0.5, 30.0
# Lines that another process wrote while nobody here did are fetched this often.
_LOOK_SECONDS = 5.0
_CLOSING_SECONDS = 5.0

logger = logging.getLogger("trunkline.gate")


class SecondPlace:
    """Follows the record in `record` with a copy in `copy`, on a thread of its own."""

    def __init__(self, record: Path, copy: Path) -> None:
        self._shipment = Shipment(record, copy)
        self._name = copy.name
        self._news = threading.Event()
        self._news.set()  # what an earlier process left behind
        self._closing = threading.Event()
        self._failing = False
        self._thread = threading.Thread(target=self._follow, name="record-copy", daemon=True)
        self._thread.start()

    @classmethod
    def of_environment(cls, record: Path) -> "SecondPlace | None":
        """The folder that `TRUNKLINE_RECORD_COPY` names; None where it names none."""
        named = os.environ.get(COPY_VARIABLE)
        return cls(record, Path(named)) if named else None

    def tell(self) -> None:
        """There is a new line. Returns at once."""
        self._news.set()

    def close(self) -> None:
        """Copies what is left, if that can be done within seconds."""
        self._closing.set()
        self._news.set()
        self._thread.join(_CLOSING_SECONDS)

    def _follow(self) -> None:
        wait = _FIRST_WAIT
        while True:
            self._news.wait(_LOOK_SECONDS)
            last = self._closing.is_set()
            self._news.clear()
            if self._ship():
                wait = _FIRST_WAIT
            else:
                self._closing.wait(wait)
                wait = min(wait * 2, _LONGEST_WAIT)
                self._news.set()
            if last:
                return

    def _ship(self) -> bool:
        try:
            self._shipment.run()
        except (CopyDiffers, OSError) as problem:
            if not self._failing:
                logger.error("the record is not copied to %s: %s", self._name, problem)
            self._failing = True
            return False
        if self._failing:
            logger.warning("the record is copied to %s again", self._name)
        self._failing = False
        return True
