"""A copy of the record follows it while calls run, and catches up after whatever stopped it."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE, DecisionLog
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger.attempts import Attempt
from trunkline_runtime.gate.ledger.instants import to_micros
from trunkline_runtime.gate.second_place import SecondPlace
from trunkline_runtime.release.loaded import PolicySnapshot


def text_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.glob("*.jsonl")))


def eventually(holds: Callable[[], bool], seconds: float = 20) -> bool:
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "decisions", tmp_path / "elsewhere" / "worker-1"


@pytest.fixture
def followed(places: tuple[Path, Path]) -> Iterator[DecisionLog]:
    """A record of several files that is copied while it is written."""
    second = SecondPlace(*places)
    yield DecisionLog(places[0], largest=2_000, appended=second.tell)
    second.close()


def test_a_line_is_in_the_second_place_soon_after(places, followed) -> None:
    for number in range(40):
        followed.append({"kind": "tool", "number": number})
        if number % 10 == 0:
            assert eventually(lambda: text_of(places[0]) == text_of(places[1]))
    assert eventually(lambda: text_of(places[0]) == text_of(places[1]))
    assert len(list(places[1].glob("*.jsonl"))) > 2
    assert [record["number"] for record in records(places[1])] == list(range(40))


def test_what_an_earlier_process_left_is_copied_at_the_start(places) -> None:
    DecisionLog(places[0]).append({"kind": "tool"})
    SecondPlace(*places).close()
    assert text_of(places[1]) == text_of(places[0]) != b""


def test_a_second_place_that_is_gone_stops_nothing_and_is_caught_up_with(
    places, followed, caplog
) -> None:
    followed.append({"kind": "tool", "number": 0})
    assert eventually(lambda: text_of(places[0]) == text_of(places[1]))
    away = places[1].with_name("away")
    places[1].rename(away)
    places[1].write_text("a file in the way")
    for number in range(1, 6):
        followed.append({"kind": "tool", "number": number})
    assert eventually(lambda: "is not copied" in caplog.text)
    places[1].unlink()
    away.rename(places[1])
    assert eventually(lambda: text_of(places[0]) == text_of(places[1]))
    assert eventually(lambda: "is copied to worker-1 again" in caplog.text)


def test_a_copy_that_somebody_altered_is_left_alone_and_told(places, followed, caplog) -> None:
    followed.append({"kind": "tool", "number": 0})
    assert eventually(lambda: text_of(places[0]) == text_of(places[1]))
    (copy,) = places[1].glob("*.jsonl")
    altered = copy.read_bytes().replace(b"tool", b"fool") + b"{}\n"
    copy.write_bytes(altered)
    followed.append({"kind": "tool", "number": 1})
    assert eventually(lambda: "the copy differs from the record" in caplog.text)
    assert copy.read_bytes() == altered


WRITER = """
    import sys
    from pathlib import Path
    from trunkline_runtime.gate.decision_log import DecisionLog
    from trunkline_runtime.gate.second_place import SecondPlace

    record, copy = map(Path, sys.argv[1:])
    second = SecondPlace(record, copy)
    log = DecisionLog(record, largest=8_000, appended=second.tell)
    number = 0
    while True:
        log.append({"kind": "tool", "number": number})
        print(number, flush=True)
        number += 1
"""


def test_a_writer_that_is_killed_leaves_a_copy_that_the_next_one_completes(places) -> None:
    """At least once: nothing that was acknowledged is missing, and no line is there twice."""
    record, copy = places
    acknowledged = 0
    for kill in range(4):
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), str(record), str(copy)],
            stdout=subprocess.PIPE,
        )
        assert writer.stdout is not None
        for _ in range(20 + 13 * kill):
            assert writer.stdout.readline()
            acknowledged += 1
        os.kill(writer.pid, signal.SIGKILL)
        acknowledged += len(writer.stdout.read().splitlines())
        writer.wait()
        writer.stdout.close()
        # What is there is a beginning of the record, whole lines but for the last.
        whole = text_of(copy).rpartition(b"\n")[0]
        assert text_of(record).startswith(whole)
    SecondPlace(record, copy).close()
    assert text_of(copy) == text_of(record).rpartition(b"\n")[0] + b"\n"
    assert verify(copy, (copy / HEAD_FILE).read_text()).fault is None
    assert sum(line["kind"] == "tool" for line in records(copy)) >= acknowledged


async def test_a_gate_that_opens_copies_as_the_environment_says_and_counts_old_holds(
    world, tmp_path, monkeypatch
) -> None:
    copy = tmp_path / "elsewhere"
    monkeypatch.setenv("TRUNKLINE_RECORD_COPY", str(copy))
    if world.url:
        monkeypatch.setenv("TRUNKLINE_LEDGER_URL", world.url)
    else:
        monkeypatch.delenv("TRUNKLINE_LEDGER_URL", raising=False)
    old = to_micros(datetime.now(UTC) - timedelta(hours=1))
    with world.ledger.transaction() as transaction:
        attempt = Attempt(
            "key", "decision", "call", "acme", "pay", False, 5_000, "USD", old, old + 1
        )
        transaction.claim(attempt, [])
    gate = PolicyGate.open(
        lambda: PolicySnapshot("sha256:1", 1, world.documents), world.settings, world.state
    )
    assert [tuple(row) for row in world.sql("SELECT state, spent FROM attempts")] == [
        ("expired", 5_000)
    ]
    decision = await gate.decide_dial(world.dial())
    assert eventually(lambda: decision.id.encode() in text_of(copy))
