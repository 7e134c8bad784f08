"""A job that comes again, to whom it may: one claim in the ledger that workers share, nothing else.

Each of two workers has a state folder of its own, as two machines have.
"""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from livekit_server import LiveKitServer, busy
from phone_shop import PARTY

from trunkline.commands.main import run as trunkline
from trunkline_runtime.call.checkpoint import Checkpoints
from trunkline_runtime.call.clock import SetClock
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.request import ContactRecord, OptOut
from trunkline_runtime.tools.arguments import attempt_key
from trunkline_runtime.worker.cut_off import LOST
from trunkline_runtime.worker.dial_claim import DialClaims
from trunkline_runtime.worker.line import PARTY as IDENTITY
from trunkline_runtime.worker.line import Party

NOW = datetime(2026, 12, 1, 15, tzinfo=UTC)
CALLER = Party("sip_1", "+12025550143", "+12025550110")


def job(**more: Any) -> str:
    known = {"flow": "remind", "number": PARTY, "inputs": {"account_id": "A-1001"}}
    return json.dumps({"version": 1, "tenant": "acme", "call_id": "call-1", **known, **more})


@pytest.fixture(params=["sqlite", "postgresql"])
def fleet(
    request: pytest.FixtureRequest, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, place: Any
) -> Any:
    """Two workers that share a ledger."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/shared.sqlite3"
    else:
        url = request.getfixturevalue("fleet_url")
    monkeypatch.setenv("TRUNKLINE_LEDGER_URL", url)
    return place("one"), place("two")


async def test_another_machine_dials_nobody_twice(
    fleet: Any, held_at: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    one, two = map(held_at, fleet)
    livekit.answers["CreateSIPParticipant"] = busy()
    assert (await one(word_line(), job()))["outcome"] == "busy"
    again = await two(word_line(), job())
    assert (again["outcome"], again["dial"]["ending"]) == ("not_dialled_again", "not_dialled")
    assert len(livekit.requests("CreateSIPParticipant")) == 1


async def test_of_two_machines_at_once_one_dials(
    fleet: Any, held_at: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    both = await asyncio.gather(*(held_at(each)(word_line(["go to bye"]), job()) for each in fleet))
    assert len(livekit.requests("CreateSIPParticipant")) == 1
    assert sorted(record["outcome"] for record in both) == ["no_action", "not_dialled_again"]


async def test_another_machine_after_a_kill_between_claim_and_dial(
    fleet: Any,
    held_at: Any,
    word_line: Any,
    livekit: LiveKitServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Killed(BaseException):
        """What no handler catches, as no handler catches `kill -9`."""

    async def killed(*_: Any) -> None:
        raise Killed

    one, two = map(held_at, fleet)
    with monkeypatch.context() as patched:
        patched.setattr(PolicyGate, "decide_dial", killed)
        with pytest.raises(Killed):
            await one(word_line(), job())
    record = await two(word_line(), job())
    assert record["outcome"] == "not_dialled_again"
    assert livekit.requests("CreateSIPParticipant") == []


async def test_what_the_gate_denied_may_be_dialled_by_another_machine(
    fleet: Any,
    held_at: Any,
    word_line: Any,
    livekit: LiveKitServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = map(held_at, fleet)
    with monkeypatch.context() as patched:
        patched.setattr("trunkline_runtime.gate.gate.ask_dial", _cannot)
        assert (await one(word_line(), job()))["outcome"] == "not_allowed"
    assert (await two(word_line(["go to bye"]), job()))["outcome"] == "no_action"
    assert len(livekit.requests("CreateSIPParticipant")) == 1


def _cannot(*_: Any) -> Any:
    raise RuntimeError


async def test_two_tenants_may_give_their_calls_the_same_id(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    """One is dialling at this moment; the other's is another claim, and another lock."""
    state = hold.station.state
    assert await DialClaims(Ledger.of_environment(state)).claim("acme", "call-1", NOW)
    with Checkpoints(state).holding("acme", "call-1", "RM_1"):
        record = await hold(word_line(["go to bye"]), job(tenant="birch"))
        assert (record["tenant"], record["outcome"]) == ("birch", "no_action")
        assert await hold(word_line(), job()) is None, "the same job on the same line"
    assert len(livekit.requests("CreateSIPParticipant")) == 1


async def test_a_call_that_was_cut_off_is_not_gone_on_with_by_another_tenant(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    task = asyncio.ensure_future(hold(word_line(["Hello?"], CALLER), job(flow="line", inputs={})))
    await _until(hold, lambda saved: saved is not None and saved.history)
    task.cancel()
    await asyncio.wait([task])
    record = await hold(
        word_line(["go to bye"], CALLER), job(tenant="birch", flow="line", inputs={})
    )
    assert [step["cause"] for step in record["path"]] == ["start", "model"]
    assert record["tenant"] == "birch"
    assert Checkpoints(hold.station.state).load("acme", "call-1") is not None


async def test_a_call_of_the_same_name_on_another_line_is_no_silence(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    """A dispatch rule that gives all its callers one `call_id`: the second one is told."""
    metadata = job(flow="line", inputs={})
    task = asyncio.ensure_future(hold(word_line([], CALLER), metadata))
    await _until(hold, lambda saved: saved is not None and saved.history)
    assert await hold(word_line([], CALLER), metadata) is None, "the same job, delivered again"
    second = word_line([], CALLER)
    second.id = "RM_2"
    record = await hold(second, metadata)
    assert "the call call-1 is running on another line" in record["refused_job"]
    assert record["caller"] == "told"
    assert second.told
    task.cancel()
    await asyncio.wait([task])


async def _until(hold: Any, met: Any) -> Any:
    for _ in range(1000):
        saved = Checkpoints(hold.station.state).load("acme", "call-1")
        if met(saved):
            return saved
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


@pytest.fixture
def killed_after_the_answer(hold: Any, word_line: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Loses a process between an answer and the first node: what it knew was on disk."""

    async def lost(found: str | None, metadata: str) -> None:
        async def who_answered(*_: Any) -> str | None:
            return found

        async def killed(*_: Any) -> None:
            raise asyncio.CancelledError

        with monkeypatch.context() as patched:
            patched.setattr("trunkline_runtime.worker.reaching.who_answered", who_answered)
            patched.setattr("trunkline_runtime.worker.phone_call.PhoneCall._talk", killed)
            with pytest.raises(asyncio.CancelledError):
                await hold(word_line(["Hello?"]), metadata)

    return lost


async def test_who_answered_before_a_worker_was_lost_is_known_still(
    hold: Any, word_line: Any, livekit: LiveKitServer, killed_after_the_answer: Any, shop: Any
) -> None:
    metadata = job(flow="ask", inputs={})
    await killed_after_the_answer("machine", metadata)
    record = await hold(word_line([], Party(IDENTITY)), metadata)
    assert (record["answered_by"], record["outcome"]) == ("machine", "voicemail")
    assert [step["node"] for step in record["path"]] == ["message"]
    assert record["dial"]["decision"], "how it was dialled is on its record"
    assert len(livekit.requests("CreateSIPParticipant")) == 1


async def test_a_call_that_was_answered_keeps_its_release(
    hold: Any, word_line: Any, place: Any, killed_after_the_answer: Any, shop: Any
) -> None:
    await killed_after_the_answer(None, job())
    table = shop.compiled.tables["acme", "remind"]
    nodes = {**table["nodes"], "hello": {**table["nodes"]["hello"], "say": "This is new."}}
    shop.change(tables={**shop.compiled.tables, ("acme", "remind"): {**table, "nodes": nodes}})
    shop.publish()
    place("state")
    record = await hold(word_line(["go to bye"], Party(IDENTITY)), job())
    assert (record["pin"]["release"], record["outcome"]) == ("v1", "no_action")
    assert (await hold(word_line(["go to bye"]), job(call_id="call-2")))["pin"]["release"] == "v2"


async def test_who_answered_and_has_hung_up_meanwhile(
    hold: Any, word_line: Any, livekit: LiveKitServer, killed_after_the_answer: Any
) -> None:
    await killed_after_the_answer(None, job())
    record = await hold(word_line(), job())
    assert (record["outcome"], record["failures"]) == ("hung_up", [LOST])
    assert record["dial"]["ending"] == "answered"
    assert len(livekit.requests("CreateSIPParticipant")) == 1


async def test_a_telephone_that_was_busy_when_its_worker_was_lost(
    hold: Any, word_line: Any, livekit: LiveKitServer, killed_after_the_answer: Any
) -> None:
    livekit.answers["CreateSIPParticipant"] = busy()
    await killed_after_the_answer(None, job())
    record = await hold(word_line(), job())
    assert (record["outcome"], record["dial"]["sip_status"]) == ("busy", 486)
    assert len(livekit.requests("CreateSIPParticipant")) == 1


async def test_who_is_on_the_line_of_another_machine_is_listened_to(
    fleet: Any, held_at: Any, word_line: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who answered is known to the lost machine alone: it is asked again, not guessed."""

    async def who_answered(session: Any, model: Any, identity: str) -> str:
        return "machine" if identity == IDENTITY else "human"

    monkeypatch.setattr("trunkline_runtime.worker.reaching.who_answered", who_answered)
    two = held_at(fleet[1])
    record = await two(word_line([], Party(IDENTITY)), job(flow="ask", inputs={}))
    assert (record["answered_by"], record["outcome"]) == ("machine", "voicemail")
    assert record["dial"]["why"] == "a worker before this one has dialled"


async def test_somebody_who_was_there_before_anybody_was_dialled(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    record = await hold(word_line(["go to bye"], Party("somebody")), job())
    assert record["dial"]["why"] == "somebody was on the line before anybody was dialled"
    assert record["outcome"] == "no_action"
    again = await hold(word_line(), job())
    assert again["outcome"] == "not_dialled_again"
    assert livekit.requests("CreateSIPParticipant") == []


async def test_what_was_kept_and_cannot_be_read_is_said(
    hold: Any, word_line: Any, livekit: LiveKitServer
) -> None:
    task = asyncio.ensure_future(hold(word_line([], CALLER), job(flow="line", inputs={})))
    await _until(hold, lambda saved: saved is not None and saved.history)
    task.cancel()
    await asyncio.wait([task])
    (file,) = (hold.station.state / "running").glob("*.json")
    file.write_text("{")
    record = await hold(word_line([], CALLER), job(flow="line", inputs={}))
    assert "what was kept of this call can't be read" in record["refused_job"]
    assert record["caller"] == "told"


async def test_the_gate_is_asked_at_the_moment_of_dialling_not_before(
    hold: Any, word_line: Any, livekit: LiveKitServer, place: Any, shop: Any, monkeypatch: Any
) -> None:
    """Between the job and the dial the policy closes the window: the dial is denied."""
    real = DialClaims.claim

    async def meanwhile(self: Any, *arguments: Any) -> Any:
        token = await real(self, *arguments)
        rule = shop.compiled.policy["jurisdictions/fr.yaml"]
        closed = {**rule["windows"][0], "hours": {"mon-sun": []}}
        shop.change(
            policy={
                **shop.compiled.policy,
                "jurisdictions/fr.yaml": {**rule, "windows": [closed]},
            }
        )
        shop.publish()
        await asyncio.to_thread(place, "state")
        return token

    monkeypatch.setattr(DialClaims, "claim", meanwhile)
    record = await hold(word_line(), job())
    assert record["outcome"] == "not_allowed"
    assert record["dial"]["reasons"][0].startswith("window: ")
    assert record["dial"]["next_allowed"] is None
    assert livekit.requests("CreateSIPParticipant") == []


@pytest.mark.parametrize(
    ("claimed", "asked", "outcome"),
    [
        ("2026-12-01T19:59:59.998+00:00", "2026-12-01T19:59:59.999+00:00", "no_action"),
        ("2026-12-01T19:59:59.999+00:00", "2026-12-01T20:00:00+00:00", "not_allowed"),
        ("2026-12-01T07:59:59.998+00:00", "2026-12-01T07:59:59.999+00:00", "not_allowed"),
        ("2026-12-01T07:59:59.999+00:00", "2026-12-01T08:00:00+00:00", "no_action"),
    ],
)
async def test_at_the_edge_of_a_window_the_moment_of_dialling_counts(
    hold: Any,
    word_line: Any,
    livekit: LiveKitServer,
    place: Any,
    shop: Any,
    monkeypatch: Any,
    claimed: str,
    asked: str,
    outcome: str,
) -> None:
    """From nine to nine in Paris, half-open. The job came, and was claimed, a moment before."""
    rule = shop.compiled.policy["jurisdictions/fr.yaml"]
    window = {**rule["windows"][0], "hours": {"mon-sun": ["09:00-21:00"]}}
    policy = {**shop.compiled.policy, "jurisdictions/fr.yaml": {**rule, "windows": [window]}}
    shop.change(policy=policy)
    shop.publish()
    place("state")
    clock = SetClock(datetime.fromisoformat(claimed))
    monkeypatch.setattr("trunkline_runtime.worker.phone_call.WallClock", lambda: clock)
    real = DialClaims.claim

    async def then(self: Any, *arguments: Any) -> Any:
        token = await real(self, *arguments)
        clock.pass_time((datetime.fromisoformat(asked) - clock.now()).total_seconds())
        return token

    monkeypatch.setattr(DialClaims, "claim", then)
    record = await hold(word_line(["go to bye"]), job())
    assert record["outcome"] == outcome, record["dial"]
    assert len(livekit.requests("CreateSIPParticipant")) == (outcome == "no_action")


async def test_who_opts_out_between_the_job_and_the_dial_is_not_dialled(
    hold: Any, word_line: Any, livekit: LiveKitServer, monkeypatch: Any
) -> None:
    real = DialClaims.claim

    async def meanwhile(self: Any, tenant: str, call_id: str, now: datetime) -> Any:
        with self._ledger.transaction() as transaction:
            transaction.add_opt_out(OptOut("call-0", tenant, PARTY, now, "platform"))
        return await real(self, tenant, call_id, now)

    monkeypatch.setattr(DialClaims, "claim", meanwhile)
    record = await hold(word_line(), job())
    assert record["outcome"] == "not_allowed"
    assert record["dial"]["reasons"][0].startswith("dnc: ")
    assert livekit.requests("CreateSIPParticipant") == []


async def test_a_list_that_changes_between_the_job_and_the_dial(
    hold: Any, word_line: Any, livekit: LiveKitServer, place: Any, shop: Any, monkeypatch: Any
) -> None:
    """The policy now names a list that is not here: what can't be looked up is a no."""
    real = DialClaims.claim

    async def meanwhile(self: Any, *arguments: Any) -> Any:
        rule = shop.compiled.policy["purposes.yaml"]["purposes"]["collections"]
        shared = {k: rule[k] for k in ("level", "source", "verified", "effective_from")}
        listed = {
            **shared,
            "id": "national",
            "description": "The national list.",
            "applies_to": {},
            "uri": "national.txt",
            "sha256": "0" * 64,
            "obtained_at": "2026-11-29T00:00:00Z",
            "max_age": "31d",
        }
        policy = {**shop.compiled.policy, "dnc.yaml": {"schema_version": 1, "lists": [listed]}}
        shop.change(policy=policy)
        shop.publish()
        await asyncio.to_thread(place, "state")
        return await real(self, *arguments)

    monkeypatch.setattr(DialClaims, "claim", meanwhile)
    record = await hold(word_line(), job())
    assert record["outcome"] == "not_allowed"
    assert "national" in record["dial"]["rules"], record["dial"]
    assert livekit.requests("CreateSIPParticipant") == []


async def test_a_tenant_on_a_held_channel_takes_what_it_is_held_on(
    hold: Any, word_line: Any, place: Any, shop: Any, tmp_path: Any
) -> None:
    def said(words: str) -> None:
        table = shop.compiled.tables["acme", "remind"]
        nodes = {**table["nodes"], "hello": {**table["nodes"]["hello"], "say": words}}
        shop.change(tables={**shop.compiled.tables, ("acme", "remind"): {**table, "nodes": nodes}})
        shop.publish()

    said("This is the second.")
    words = ["channel", "acme", "stable", "v1", "--to", str(shop.store), "--reason", "v2 is bad"]
    assert trunkline(["-C", str(tmp_path), *words]) == 0
    said("This is the third.")
    place("state")
    record = await hold(word_line(["go to bye"]), job())
    assert (record["pin"]["release"], record["channel"]) == ("v1", "stable")


def test_what_the_books_know_of_a_call_is_its_tenants(tmp_path: Any) -> None:
    ledger = Ledger.at(tmp_path / "ledger.sqlite3")
    with ledger.transaction() as transaction:
        transaction.add_contact(ContactRecord("call-1", "acme", PARTY, NOW, "attempt"))
        assert transaction.contacted("acme", "call-1", PARTY)
        assert not transaction.contacted("birch", "call-1", PARTY)
    wish = "call-1", "take_payment", {"amount": 48.5}, 0
    assert attempt_key("acme", *wish) == attempt_key("acme", *wish)
    assert attempt_key("acme", *wish) != attempt_key("birch", *wish)
