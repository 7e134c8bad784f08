"""What the record and a decision never show: numbers, private arguments, secrets."""

import stat
from unittest.mock import patch

from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.request import ContactRecord, FactRecord, OptOut

PARTY = "+12125550143"


async def test_the_record_holds_no_number_and_no_private_argument(world) -> None:
    await world.gate.decide(world.request("lookup_crm"))
    await world.gate.decide(world.request("lookup_crm", {"full_name": "Jane Doe", "postcode": 1}))
    await world.gate.decide(world.request("take_payment", facts={}))
    await world.gate.decide(
        world.request(
            "send_sms",
            tenant="harbor-medical",
            purpose="care",
            direction="inbound",
            facts={"text_agreed": FactRecord()},
        )
    )
    await world.gate.decide_dial(world.dial(address={"country": "US", "region": "Jane's street"}))
    now = world.dial().now
    await world.gate.record_opt_out(OptOut("call-1", "northwind-energy", PARTY, now))
    await world.gate.record_contact(
        ContactRecord("call-1", "northwind-energy", PARTY, now, "conversation", "A-1001")
    )
    assert len(world.records) == 7
    assert world.verifies()
    for private in ("2125550143", "Jane", "Doe", "20001", "A-1001", "appointment", "48.5", "cap_"):
        assert private not in world.record_text, private


async def test_a_fault_is_logged_without_what_it_was_about(world, caplog) -> None:
    with patch("trunkline_runtime.gate.asked.judge", side_effect=KeyError(PARTY)):
        assert not (await world.gate.decide(world.request("take_payment"))).allowed
    with patch.object(world.log, "append", side_effect=OSError(28, PARTY)):
        assert not (await world.gate.decide(world.request("take_payment"))).allowed
    assert len(caplog.records) == 2
    assert "in asked_of" in caplog.text
    assert "5550143" not in caplog.text


async def test_one_person_has_one_token_and_two_keys_have_two(world, tmp_path) -> None:
    await world.gate.decide_dial(world.dial())
    await world.gate.decide(world.request("take_payment"))
    dialled, paid = world.records
    assert (
        dialled["party"] == paid["party"] == NumberKey(b"a key for tests, long enough").token(PARTY)
    )
    assert dialled["party"] != NumberKey(b"another key, long enough").token(PARTY)


def test_the_key_is_made_once_for_its_owner_only(tmp_path, monkeypatch) -> None:
    monkeypatch.delenv("TRUNKLINE_NUMBER_KEY", raising=False)
    first = NumberKey.of_environment(tmp_path).token(PARTY)
    assert NumberKey.of_environment(tmp_path).token(PARTY) == first
    assert stat.S_IMODE((tmp_path / "number.key").stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["number.key"]


async def test_files_of_the_gate_are_their_owners(world) -> None:
    await world.gate.decide_dial(world.dial())
    paths = [*world.state.glob("ledger.sqlite3*"), *(world.state / "decisions").iterdir()]
    assert len(paths) >= 3
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
