"""Calls that nobody goes on with, and what the ledger owed: the next worker ends both."""

import asyncio
import json
import os
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from livekit_server import LiveKitServer
from phone_shop import PARTY

from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.pending import PendingGate
from trunkline_runtime.gate.request import OptOut
from trunkline_runtime.worker.cut_off import GRACE_SECONDS, LOST
from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.server import Aftercare, entrypoint

CALLER = Party("sip_1", "+12025550143", "+12025550110")


async def cut_off_in_the_middle(hold: Any, line: Any, metadata: str) -> str:
    """A call whose process is gone: cancelled, as at the end of a job's patience."""
    task = asyncio.ensure_future(hold(line, metadata))
    running = hold.station.state / "running"
    for _ in range(1000):
        files = list(running.glob("*.json"))
        if files and json.loads(files[0].read_text())["history"]:
            break
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    (file,) = running.glob("*.json")
    return str(file)


def damage(path: str) -> None:
    Path(path).write_text('{"format": "trunkline/call-state/v1"')


def make_old(path: str) -> None:
    then = time.time() - GRACE_SECONDS - 1
    os.utime(path, (then, then))


async def test_a_call_that_nobody_goes_on_with_is_completed_once(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    path = await cut_off_in_the_middle(hold, word_line([], CALLER), "")
    assert hold.records == []
    await asyncio.to_thread(Aftercare(hold.station))
    assert hold.records == [], "its job may come again"
    make_old(path)
    for _ in range(2):
        await asyncio.to_thread(Aftercare(hold.station))
    (record,) = hold.records
    assert (record["outcome"], record["failures"]) == ("hung_up", [LOST])
    assert [step["node"] for step in record["path"]] == ["hello"]
    assert not list((hold.station.state / "running").glob("*"))
    assert verify(hold.station.state / "calls").fault is None


async def test_what_cannot_be_read_back_is_told_once_and_kept(
    hold: Any, word_line: Any, livekit: LiveKitServer, caplog: Any
) -> None:
    path = await cut_off_in_the_middle(hold, word_line([], CALLER), "")
    damage(path)
    make_old(path)
    for _ in range(2):
        await asyncio.to_thread(Aftercare(hold.station))
    assert caplog.text.count("can't be read back: its call is on no record") == 1
    assert [file.suffix for file in (hold.station.state / "running").iterdir()] == [".damaged"]
    record = await hold(word_line(["go to bye"], CALLER), "")
    assert record["outcome"] == "no_action", "its job comes again: the call begins anew"


async def test_who_is_on_the_line_when_the_time_to_drain_is_over_is_not_left_in_silence(
    station: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    line = word_line([], CALLER)
    job = SimpleNamespace(metadata="")
    ctx: Any = SimpleNamespace(job=job, shutdown=lambda reason: None)
    task = asyncio.ensure_future(entrypoint(station, lambda _: line, lambda *_: None, ctx))
    checkpoints = Checkpoints(station.state)
    for _ in range(1000):
        saved = checkpoints.load("acme", line.id)
        if saved is not None and saved.history:
            break
        await asyncio.sleep(0.01)
    assert livekit.requests("DeleteRoom") == []
    task.cancel()
    await asyncio.wait([task])
    assert [request.room for request in livekit.requests("DeleteRoom")] == [line.room]
    assert checkpoints.load("acme", line.id) is not None, "the next worker completes its record"


async def test_a_process_killed_between_its_record_and_its_end_leaves_one_record(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: Any
) -> None:
    monkeypatch.setattr(Checkpoints, "forget", lambda *_: None)
    await hold(word_line(["(hangs up)"], CALLER), "")
    monkeypatch.undo()
    (file,) = (hold.station.state / "running").glob("*.json")
    make_old(str(file))
    await asyncio.to_thread(Aftercare(hold.station))
    assert len(hold.records) == 1
    assert not list((hold.station.state / "running").glob("*.json"))


async def test_a_dial_that_was_cut_off_says_that_nobody_knows(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def rings(request: Any) -> Any:
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(20)
        raise ConnectionAbortedError

    livekit.answers["CreateSIPParticipant"] = rings
    job = {
        "version": 1,
        "tenant": "acme",
        "flow": "remind",
        "call_id": "call-1",
        "number": PARTY,
        "inputs": {"account_id": "A-1001"},
    }
    task = asyncio.ensure_future(hold(word_line(), json.dumps(job)))
    while not livekit.requests("CreateSIPParticipant"):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    release.set()
    (file,) = (hold.station.state / "running").glob("*.json")
    make_old(str(file))
    await asyncio.to_thread(Aftercare(hold.station))
    (record,) = hold.records
    assert (record["outcome"], record["path"]) == ("failed", [])
    assert record["dial"] == {
        "ending": "unknown",
        "why": "the worker was lost before it could say whether it rang",
    }


async def test_what_waited_is_on_the_ledger_of_the_next_worker(hold: Any) -> None:
    class Down:
        async def record_opt_out(self, opt_out: OptOut) -> None:
            raise OSError("down")

    pending = PendingGate(Down(), hold.station.state)  # type: ignore[arg-type]
    try:
        await pending.record_opt_out(OptOut("call-1", "acme", PARTY, WallClock().now()))
    except Exception as put_off:
        assert type(put_off).__name__ == "PutOff"
    await asyncio.to_thread(Aftercare(hold.station))
    assert not list((hold.station.state / "pending").glob("*"))
    kept = [one for one in records(hold.station.state / "decisions") if one["kind"] == "opt_out"]
    assert [one["call"] for one in kept] == ["call-1"]
