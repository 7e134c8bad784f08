"""A worker that is killed while it completes a call that another worker had lost."""

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from livekit_server import LiveKitServer
from phone_shop import phone_shop
from shop import Shop

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.worker.cut_off import GRACE_SECONDS
from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.server import Aftercare

CALLER = Party("sip_1", "+12025550143", "+12025550110")
TOOLS = """
import os, pathlib, signal
RAN = pathlib.Path(__file__).with_name("ran")

def _ran(name):
    with RAN.open("a") as file:
        file.write(name + "\\n")

def first():
    _ran("first")
    return {}

def second():
    _ran("second")
    os.kill(os.getpid(), signal.SIGKILL)

def third():
    _ran("third")
    return {}
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    (tmp_path / "lost_again_tools.py").write_text(TOOLS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("TRUNKLINE_PYTHON_TOOLS", "lost_again_tools")
    made = phone_shop(tmp_path, ("acme", "birch"))
    names = ("first", "second", "third")
    for name in names:
        document = {
            "schema_version": 1,
            "id": name,
            "description": "Note it.",
            "parameters": {"type": "object", "properties": {}},
            "result": {"type": "object"},
            "effects": [],
            "timeout_seconds": 5,
            "idempotent": False,
            "run": {"python": f"lost_again_tools:{name}"},
        }
        made.compiled.entries[name] = ToolEntry.from_document("python", document)  # type: ignore[index]
    table: Any = made.compiled.tables["acme", "line"]
    acme: Any = made.compiled.tenants["acme"]
    acme["connections"] = {**acme.get("connections", {}), "python": {}}
    purposes: Any = made.compiled.policy["purposes.yaml"]
    known = purposes["purposes"]
    known["service"] = {**known["collections"], "direction": "inbound"}
    purposes["grants"]["acme"] = ["collections", "service"]
    table["purpose"] = "service"
    table["after_call"] = [{"id": name} for name in names]
    table["tools"] = {name: made.compiled.entries[name].digest for name in names}
    made.publish()
    return made


async def test_what_was_begun_is_not_begun_again_and_the_record_tells_it(
    hold: Any, word_line: Any, livekit: LiveKitServer, tmp_path: Path
) -> None:
    task = asyncio.ensure_future(hold(word_line([], CALLER), ""))
    running = hold.station.state / "running"
    while not any('"history": [{' in file.read_text() for file in running.glob("*.json")):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    task.cancel()
    await asyncio.wait([task])
    (file,) = running.glob("*.json")
    then = time.time() - GRACE_SECONDS - 1
    os.utime(file, (then, then))
    child = os.fork()
    if child == 0:
        Aftercare(hold.station)()
        os._exit(0)
    _, status = await asyncio.to_thread(os.waitpid, child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert hold.records == []
    os.utime(file, (then, then))
    await asyncio.to_thread(Aftercare(hold.station))
    assert (tmp_path / "ran").read_text().split() == ["first", "second", "third"]
    (record,) = hold.records
    ended = [(tool["tool"], tool["outcome"], tool["ending"]) for tool in record["tools"]]
    assert ended == [
        ("first", "done", "done"),
        ("second", "timeout", "unknown"),
        ("third", "done", "done"),
    ]
    assert not list(running.glob("*"))
