"""Many processes on one ledger and one record: no cap is passed, nothing acknowledged is lost."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE

SPENDER = Path(__file__).with_name("spender.py")
# `make soak` is the long run: 200 kills, 32 processes.
KILLS = int(os.environ.get("TRUNKLINE_SOAK_KILLS", "20"))
PROCESSES = int(os.environ.get("TRUNKLINE_SOAK_PROCESSES", "8"))


class Nursery:
    """A process that forks spenders, and everything that they acknowledged."""

    def __init__(self, state: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SPENDER), str(state)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.said: list[list[str]] = []
        self.running: list[int] = []

    def start(self, name: str, count: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name} {count}\n".encode())
        self._process.stdin.flush()

    def listen(self) -> None:
        """Takes in the next line of any spender."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the nursery ended"
        self.said.append(line.decode().split())
        if self.said[-1][0] == "ready":
            self.running.append(int(self.said[-1][1]))

    def close(self) -> None:
        """Waits for all that runs and reads what they said."""
        rest, _ = self._process.communicate(timeout=120)
        assert self._process.returncode == 0
        self.said += [line.split() for line in rest.decode().splitlines()]

    def words(self, verb: str) -> list[list[str]]:
        return [words[1:] for words in self.said if words[0] == verb]


def counted(world, cap: str) -> tuple[int, int]:
    rows = world.sql("SELECT key, spent, reserved FROM buckets")
    of_cap = [(spent, reserved) for key, spent, reserved in rows if key.startswith(f"{cap}|")]
    return sum(spent for spent, _ in of_cap), sum(reserved for _, reserved in of_cap)


@pytest.fixture
def capped(world):
    """A cap of 3 dollars a day: room for ten payments at their worst case."""
    cap = {
        "id": "spend-per-day",
        "level": "mandatory",
        "per": "day",
        "limit": {"micros": 3_000_000, "currency": "USD"},
    }
    # The processes find it where `World` looks for it.
    (world.state / "caps.json").write_text(json.dumps({"schema_version": 1, "caps": [cap]}))
    return world


def test_processes_that_spend_against_one_cap_overshoot_by_nothing(capped) -> None:
    nursery = Nursery(capped.state)
    for number in range(PROCESSES):
        nursery.start(f"process-{number}", 12)
    nursery.close()
    assert len(nursery.words("finished")) == PROCESSES
    decided = nursery.words("decided")
    assert len(decided) == 12 * PROCESSES
    allowed = [id for id, answer in decided if answer == "allow"]
    settled = nursery.words("settled")
    spent, reserved = counted(capped, "spend-per-day")
    assert spent == 100_000 * len(settled)
    assert reserved == 300_000 * (len(allowed) - len(settled))
    assert spent + reserved <= 3_000_000
    # The cap was fought for: the room that is left is less than one more payment needs.
    assert spent + reserved > 2_700_000
    assert verify(capped.state / "decisions").fault is None


def test_processes_that_are_killed_lose_nothing_that_they_acknowledged(world) -> None:
    dice = random.Random(20261129)
    nursery = Nursery(world.state)
    for number in range(3):
        nursery.start(f"spender-{number}", 0)
    for kill in range(KILLS):
        # Counted in what was done and not in time, so that a slow machine sees as much.
        for _ in range(dice.randrange(12)):
            nursery.listen()
        while not nursery.running:
            nursery.listen()
        time.sleep(dice.uniform(0.0, 0.01))
        os.kill(nursery.running.pop(0), signal.SIGKILL)
        if kill < KILLS - 3:
            nursery.start(f"spender-{3 + kill}", 0)
    nursery.close()
    decided = {id for id, _ in nursery.words("decided")}
    settled = {id for (id,) in nursery.words("settled")}
    opted_out = {number for (number,) in nursery.words("opted_out")}
    assert len(decided) > KILLS
    assert not nursery.words("finished")
    folder = world.state / "decisions"
    assert decided <= {record.get("id") for record in records(folder)}
    assert verify(folder, (folder / HEAD_FILE).read_text()).fault is None
    rows = world.sql("SELECT decision FROM attempts WHERE state = 'done' AND spent = 100000")
    kept = {decision for (decision,) in rows}
    listed = {number for (number,) in world.sql("SELECT number FROM opt_outs")}
    assert settled <= kept
    assert opted_out <= listed
    spent, _ = counted(world, "spend-per-month")
    assert spent == 100_000 * len(kept)
