"""Real workers: a server that registers, processes that hold calls, and what kills them."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from livekit_server import KEY, SECRET, LiveKitServer
from phone_shop import PARTY, phone_shop
from shop import Shop

from trunkline_runtime.gate.chain import records, verify

FLEET = Path(__file__).parents[2] / "fleet"
INBOUND = json.dumps({"version": 1, "tenant": "acme", "flow": "line", "call_id": "call-1"})


class Worker:
    """One worker in a process of its own, and its only caller."""

    def __init__(
        self, tmp: Path, shop: Shop, livekit: LiveKitServer, tenants: tuple[str, ...] = ("acme",)
    ) -> None:
        self.state, self.folder, self.livekit = tmp / "state", tmp / "line", livekit
        self.folder.mkdir(exist_ok=True)
        self.shop = shop
        environment = {
            **{name: value for name, value in os.environ.items() if "TRUNKLINE" not in name},
            "PYTHONPATH": str(FLEET),
            "WORD_LINE": str(self.folder),
            "TRUNKLINE_STATE_DIR": str(self.state),
            "LIVEKIT_URL": livekit.url,
            "LIVEKIT_API_KEY": KEY,
            "LIVEKIT_API_SECRET": SECRET,
            "TRUNKLINE_SIP_TRUNK": "ST_1",
            "TRUNKLINE_LLM_BASE_URL": f"{livekit.url}/v1",
            "TRUNKLINE_LLM_MODEL": "test",
        }
        self.log = tmp / "worker.log"
        self.metrics_port = _free_port()
        arguments = ["worker", *tenants, "--from", str(shop.store), "--unsigned", "--port", "0"]
        arguments += ["--every", "0.3", "--idle-processes", "0", "--agent-name", "acme-calls"]
        arguments += ["--metrics-port", str(self.metrics_port)]
        registered = len(livekit.worker_said("register"))
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", "import word_worker; word_worker.main()", *arguments],
                env=environment,
                stdout=log,
                stderr=log,
            )
        livekit.until(lambda: len(livekit.worker_said("register")) > registered and self._follows())

    def _follows(self) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return (self.state / "releases" / ".lines" / "inbound.json").exists()

    def caller_comes(self) -> None:
        (self.folder / "party").touch()

    def says(self, words: str) -> None:
        before = len(self.records)
        prepared = self.folder / ".words"
        prepared.write_text(words)
        prepared.rename(self.folder / "words")
        self.livekit.until(lambda: self._has_heard(words) or len(self.records) > before)

    def _has_heard(self, words: str) -> bool:
        history = self.running().get("history", [])
        return words in [said["words"] for said in history if said["who"] == "caller"]

    def heard(self, words: str) -> list[str]:
        """All that the agent has said, once it has said these words."""
        history = self.running().get("history", [])
        said = [one["words"] for one in history if one["who"] == "agent"]
        return said if any(words in one for one in said) else []

    def running(self) -> dict[str, Any]:
        """The checkpoint of the only call."""
        files = list((self.state / "running").glob("*.json"))
        return json.loads(files[0].read_text()) if files else {}

    def node(self) -> str | None:
        return self.running().get("visit", {}).get("node")

    @property
    def records(self) -> list[Any]:
        return list(records(self.state / "calls"))

    def metrics(self) -> str:
        url = f"http://127.0.0.1:{self.metrics_port}/metrics"
        with urllib.request.urlopen(url, timeout=5) as answer:
            return str(answer.read().decode())

    def ends(self) -> int:
        return self.process.wait(60)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def publish_anew(shop: Shop) -> None:
    table = shop.compiled.tables["acme", "line"]
    nodes = {**table["nodes"], "bye": {**table["nodes"]["bye"], "say": "Another goodbye."}}
    shop.change(tables={**shop.compiled.tables, ("acme", "line"): {**table, "nodes": nodes}})
    shop.publish()


@pytest.fixture
def worker(tmp_path: Path, livekit: LiveKitServer) -> Iterator[Worker]:
    shop = phone_shop(tmp_path)
    shop.publish()
    made = Worker(tmp_path, shop, livekit)
    yield made
    made.process.kill()
    made.process.wait()


def _dies_in_a_dial(worker: Worker, livekit: LiveKitServer) -> None:
    """kill -9 while it rings: the job that comes again dials nobody, and says why."""

    def dies(request: Any) -> Any:
        os.kill(int((worker.folder / "pid").read_text()), signal.SIGKILL)
        raise ConnectionAbortedError

    livekit.answers["CreateSIPParticipant"] = dies
    job = json.dumps(
        {
            "version": 1,
            "tenant": "acme",
            "flow": "remind",
            "call_id": "call-2",
            "number": PARTY,
            "inputs": {"account_id": "A-1001"},
        }
    )
    livekit.dispatch(job)
    livekit.until(lambda: livekit.requests("CreateSIPParticipant"))
    livekit.dispatch(job, job="AJ_2")
    (record,) = livekit.until(lambda: worker.records)
    assert record["outcome"] == "not_dialled_again"
    assert len(livekit.requests("CreateSIPParticipant")) == 1


def _outlives_its_process(worker: Worker, livekit: LiveKitServer) -> None:
    """kill -9 in the middle of a call; the next process goes on at its node, on its release."""
    worker.caller_comes()
    livekit.dispatch(INBOUND)
    livekit.until(lambda: worker.running().get("history"))
    shown = worker.metrics()
    assert 'trunkline_release_calls{release="v1",state="current",tenant="acme"} 1.0' in shown
    assert "lk_agents_" in shown, "LiveKit's own metrics are on the same port"
    worker.says("Hello?")
    worker.says("go to more")
    heard = livekit.until(lambda: worker.heard("There is more."))
    assert worker.node() == "more"
    os.kill(int((worker.folder / "pid").read_text()), signal.SIGKILL)
    publish_anew(worker.shop)  # a release that this call does not take
    livekit.until(lambda: "v2" in worker.log.read_text())
    worker.shop.store.rename(worker.shop.store.with_name("away"))  # and no store any more
    livekit.dispatch(INBOUND, job="AJ_2")
    livekit.until(lambda: len(worker.heard("")) > len(heard))
    assert worker.running()["path"][-1]["cause"] == "resume"
    worker.process.send_signal(signal.SIGTERM)
    livekit.until(lambda: "no job more is taken" in worker.log.read_text())
    worker.says("go to bye")
    assert worker.ends() == 0, worker.log.read_text()
    record = worker.records[-1]
    assert [step["node"] for step in record["path"]] == ["hello", "more", "more", "bye"]
    assert (record["outcome"], record["pin"]["release"]) == ("no_action", "v1")
    assert record["turns"]["caller"] == 3
    assert verify(worker.state / "calls").fault is None
    assert not list((worker.state / "running").glob("*"))


def _starts_without_its_store(worker: Worker, livekit: LiveKitServer, tmp: Path) -> None:
    """What was pulled is what it starts on; a second signal ends it, and its calls, at once."""
    assert not worker.shop.store.exists()
    again = Worker(tmp, worker.shop, livekit, tenants=())
    try:
        assert "followed are the tenants that are here: acme" in again.log.read_text()
        livekit.dispatch(INBOUND.replace("call-1", "call-3"), job="AJ_3")
        livekit.until(lambda: again.heard("This is Acme."))
        assert again.running()["pin"]["tag"] == "v2"
        holder = int((again.folder / "pid").read_text())
        told = again.log.read_text().count("no job more is taken")
        again.process.send_signal(signal.SIGTERM)
        livekit.until(lambda: again.log.read_text().count("no job more is taken") > told)
        assert again.process.poll() is None, "the call is held to its end"
        again.process.send_signal(signal.SIGTERM)
        again.process.wait(10)
        livekit.until(lambda: not _runs(holder), 15)
        assert again.running()["call_id"] == "call-3", "the next worker completes it"
    finally:
        again.process.kill()
        again.process.wait()


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_what_kills_a_process_and_what_ends_a_worker(
    worker: Worker, livekit: LiveKitServer, tmp_path: Path
) -> None:
    """One worker for all of it: starting one costs seconds."""
    assert livekit.worker_said("register")[0].register.agent_name == "acme-calls"
    _dies_in_a_dial(worker, livekit)
    livekit.answers.clear()
    _outlives_its_process(worker, livekit)
    _starts_without_its_store(worker, livekit, tmp_path)
