"""A ledger that goes away while a call runs: nothing new is spent, and the call is not cut."""

import contextlib
import json
import os
import shutil
from pathlib import Path

import pytest

from trunkline.commands.main import run as trunkline
from trunkline_runtime.commands.main import run
from trunkline_runtime.gate.chain import records, verify
from trunkline_runtime.gate.ledger import Ledger, LedgerDown

TOP = Path(__file__).parents[3]
SCRIPT = """
name: overdue-invoice
scenarios:
  - label: a call that would be verified
    at: "2026-12-01T15:00:00Z"
    number: "+12025550143"
    inputs: {account_id: A-1001}
    answered_by: human
    turns:
      - model: [{say: Is now a good time}]
      - caller: Yes, go ahead.
        model: [{move_to: verify, when: the person agrees to talk}, {say: And who is speaking}]
      - caller: Jane Doe, two zero zero zero one.
        model:
          - calls: [{tool: collect, args: {full_name: Jane Doe, postcode: "20001"}}]
          - calls: [{tool: lookup_crm}]
          - {move_to: state_invoice, when: account holder confirmed}
          - calls: [{tool: get_invoice}]
    tools:
      lookup_crm: [{result: {match: exact}}]
"""


def test_the_call_goes_on_to_an_end_of_its_own(
    tmp_path: Path, monkeypatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ledger answers to the first tool, and is gone while that runs."""
    for name in [name for name in os.environ if name.startswith("TRUNKLINE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TRUNKLINE_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, tmp_path / part)
    assert trunkline(["-C", str(tmp_path), "publish", "--to", str(tmp_path / "store")]) == 0
    left = 1
    whole = Ledger.transaction

    @contextlib.contextmanager
    def sometimes(self):
        nonlocal left
        if left <= 0:
            raise LedgerDown("the ledger does not answer")
        left -= 1
        with whole(self) as transaction:
            yield transaction

    monkeypatch.setattr(Ledger, "transaction", sometimes)
    capsys.readouterr()
    flow = "northwind-energy/overdue-invoice"
    script = tmp_path / "script.yaml"
    script.write_text(SCRIPT, encoding="utf-8")
    words = ["--script", str(script), "--keep-books", "--format", "json"]
    words += ["--from", str(tmp_path / "store")]
    code = run(["call", flow, *words])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    assert code == 0, err
    ended = json.loads(out)
    # What ran came to its end and counts; what is new is refused, and the flow knows a way on.
    asked = [(each["tool"], each["outcome"]) for each in ended["tools"]]
    assert asked == [
        ("lookup_crm", "done"),
        ("get_invoice", "denied"),
        ("update_contact", "denied"),
    ]
    nodes = [step["node"] for step in ended["path"]]
    assert nodes == ["greeting", "verify", "state_invoice", "human", "not_connected"]
    assert ended["outcome"] == "not_connected"
    record = tmp_path / "state" / "decisions"
    assert verify(record).fault is None
    denied = [line for line in records(record) if line.get("decision") == "deny"]
    assert [line["tool"] for line in denied] == ["get_invoice", "update_contact"]
    reasons = [reason["kind"] for line in denied for reason in line["reasons"]]
    assert reasons == ["unreadable"] * 2
