"""Shared flows of the starter tenants: one file, two tenants, and a fault in it is told once."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trunkline.commands.main import run
from trunkline.compile import Compiled, compile_repository

ROOT = Path(__file__).parents[2]
VERIFY = "flows/shared/verify-identity.yaml"
CALL_BACK = "flows/shared/book-call-back.yaml"

Check = Callable[[str, str, str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def shipped() -> Compiled:
    return compile_repository(ROOT)


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    """What is found once a part of a shipped file is exchanged."""

    def found(path: str, old: str, new: str) -> list[dict[str, Any]]:
        for folder in ("flows", "catalog", "policy"):
            shutil.copytree(ROOT / folder, tmp_path / folder)
        text = (tmp_path / path).read_text()
        assert text.count(old) == 1
        (tmp_path / path).write_text(text.replace(old, new))
        run(["-C", str(tmp_path), "check", "--format", "json"])
        findings: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
        return findings

    return found


def line_of(path: str, words: str) -> int:
    lines = (ROOT / path).read_text().splitlines()
    (line,) = (number for number, line in enumerate(lines, 1) if words in line)
    return line


def test_a_sub_flow_serves_two_tenants(shipped: Compiled) -> None:
    users = {flow for flow, paths in shipped.sources.items() if VERIFY in paths}
    assert users == {("northwind-energy", "service-line"), ("harbor-medical", "bills")}
    asks = [shipped.tables[user]["nodes"]["verify/ask"] for user in sorted(users)]
    bound = [ask["tools"][0]["with"]["account_id"] for ask in asks]
    assert bound == ["slots.patient_number", "slots.account_number"]
    holders = ["the person who pays the bill.", "the account holder."]
    begins = [ask["instructions"].partition(" Once")[0] for ask in asks]
    assert begins == [f"Confirm that you speak with {holder}" for holder in holders]


def test_a_whole_flow_is_used_with_params_of_ones_own(shipped: Compiled) -> None:
    users = {flow for flow, paths in shipped.sources.items() if CALL_BACK in paths}
    assert users == {("northwind-energy", "after-hours"), ("harbor-medical", "after-hours")}
    tables = [shipped.tables[user] for user in sorted(users)]
    services = [table["nodes"]["time"]["tools"][0]["with"]["service"] for table in tables]
    assert services == ['"front_desk_call"', '"call_back"']
    assert all("params" not in json.dumps(table) for table in tables)


def test_a_link_leads_to_it(shipped: Compiled) -> None:
    table = shipped.tables["northwind-energy", "service-line"]
    assert table["nodes"]["after_hours"] == {"kind": "link", "flow": "after-hours"}


def test_a_fault_in_a_shared_flow_is_one_finding_there(check: Check) -> None:
    (finding,) = check(VERIFY, "failed.lookup_crm", "failed.lookup_cmr")
    assert (finding["code"], finding["path"]) == ("TL404", VERIFY)
    assert finding["line"] == line_of(VERIFY, "failed.lookup_crm")
    assert finding["message"].endswith("(affects 2 flows)")


def test_so_is_one_in_a_whole_shared_flow(check: Check) -> None:
    (finding,) = check(CALL_BACK, "outcome: call_back_booked", "outcome: call_back_bokoed")
    assert (finding["code"], finding["path"]) == ("TL103", CALL_BACK)
    assert finding["line"] == line_of(CALL_BACK, "outcome: call_back_booked")
    assert finding["message"].endswith("(affects 2 flows)")


def test_what_a_host_forgets_is_told_in_the_host(check: Check) -> None:
    path = "flows/northwind-energy/service-line.yaml"
    (finding,) = check(path, "      account: slots.account_number\n", "")
    assert (finding["code"], finding["path"]) == ("TL103", path)
    assert finding["message"] == "the param `account` of shared/verify-identity is not given"


def test_what_is_written_out_though_it_is_so_anyway_changes_no_digest(
    shipped: Compiled, tmp_path: Path
) -> None:
    for folder in ("flows", "catalog", "policy"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    entry = tmp_path / "catalog/tools/billing/take_payment.yaml"
    text = entry.read_text(encoding="utf-8")
    for key in ("retries:", "revokes:", "spoken:"):
        assert key not in text
    more = "retries: 0\nrevokes: []\nspoken: []\n"
    entry.write_text(text.replace("effects: [payment]\n", f"effects: [payment, payment]\n{more}"))
    assert compile_repository(tmp_path).digests == shipped.digests
    entry.write_text(text.replace("effects: [payment]\n", "effects: [payment, writes]\n"))
    assert compile_repository(tmp_path).digests != shipped.digests
