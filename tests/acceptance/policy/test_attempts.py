"""What a determined flow author could write to reach a payment unproven: `check` stops each of it.

Each attempt is a change of the shipped flow. What would still come through is stopped a second time
by the gate (tests/unit/gate/test_determined_author.py), which asks nobody what the graph says.
"""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.commands.main import run

TOP = Path(__file__).parents[3]
FLOW = "flows/northwind-energy/overdue-invoice.yaml"
TENANT = "flows/northwind-energy/tenant.yaml"
CHARGE = {
    "id": "take_payment",
    "with": {"account_id": "inputs.account_id", "amount": "1.0", "capture_token": '"cap_abcdefgh"'},
}
Document = dict[str, Any]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("catalog", "policy", "flows/northwind-energy", "flows/shared"):
        shutil.copytree(TOP / folder, tmp_path / folder)
    shutil.rmtree(tmp_path / "flows/northwind-energy/scenarios", ignore_errors=True)
    return tmp_path


@pytest.fixture
def found(root: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[], set[tuple[str, str]]]:
    """The errors of a check: code and file."""

    def check() -> set[tuple[str, str]]:
        capsys.readouterr()
        code = run(["-C", str(root), "check", "--format", "json"])
        findings = json.loads(capsys.readouterr().out)["findings"]
        errors = {(each["code"], each["path"]) for each in findings if each["severity"] == "error"}
        assert code == (1 if errors else 0)
        return errors

    return check


def change(root: Path, path: str, edit: Callable[[Document], object]) -> None:
    document = yaml.safe_load((root / path).read_text(encoding="utf-8"))
    edit(document)
    (root / path).write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def test_the_flow_as_it_is_passes(root: Path, found) -> None:
    change(root, FLOW, lambda flow: None)
    assert found() == set()


def edge(flow: Document, node: str, to: str) -> Document:
    (one,) = [each for each in flow["nodes"][node]["edges"] if each["to"] == to and "when" in each]
    return one


def retargeted_edge(flow: Document) -> None:
    edge(flow, "greeting", "verify")["to"] = "state_invoice"


def dropped_proof(flow: Document) -> None:
    del edge(flow, "verify", "state_invoice")["requires"]


def proof_as_half_of_a_condition(flow: Document) -> None:
    one = edge(flow, "verify", "state_invoice")
    del one["requires"]
    one["if"] = "facts.identity_verified || call.minutes >= 0"


def from_anywhere(flow: Document) -> None:
    flow["anywhere"].append({"to": "pay", "when": "they want to pay at once"})


def by_a_key(flow: Document) -> None:
    flow["keys"]["1"] = "pay"


def by_silence(flow: Document) -> None:
    flow["silence"]["to"] = "pay"


def when_the_flow_fails(flow: Document) -> None:
    flow["error"] = "pay"


def when_a_transfer_fails(flow: Document) -> None:
    flow["nodes"]["human"]["on_failure"] = "pay"


def at_the_limit(flow: Document) -> None:
    flow["limits"]["to"] = "pay"


def after_the_call(flow: Document) -> None:
    flow["after_call"] = [CHARGE]


@pytest.mark.parametrize(
    "attempt",
    [
        retargeted_edge,
        dropped_proof,
        proof_as_half_of_a_condition,
        from_anywhere,
        by_a_key,
        by_silence,
        when_the_flow_fails,
        when_a_transfer_fails,
        at_the_limit,
        after_the_call,
    ],
)
def test_a_way_to_the_payment_without_the_proof(root: Path, found, attempt) -> None:
    change(root, FLOW, attempt)
    assert ("TL401", FLOW) in found()


def test_a_shared_flow_that_charges(root: Path, found) -> None:
    shared = {
        "schema_version": 1,
        "id": "settle",
        "description": "Takes the money.",
        "exits": ["done"],
        "start": "charge",
        "nodes": {
            "charge": {
                "instructions": "Call take_payment.",
                "tools": [{**CHARGE, "with": {**CHARGE["with"], "account_id": '"A-1001"'}}],
                "edges": [{"to": "exit/done", "when": "it is paid"}],
            }
        },
    }
    (root / "flows/shared").mkdir(exist_ok=True)
    path = "flows/shared/settle.yaml"
    (root / path).write_text(yaml.safe_dump(shared, sort_keys=False), encoding="utf-8")

    def used(flow: Document) -> None:
        flow["nodes"]["settle"] = {
            "kind": "subflow",
            "flow": "shared/settle",
            "exits": {"done": "thanks"},
        }
        edge(flow, "greeting", "verify")["to"] = "settle"

    change(root, FLOW, used)
    assert "TL401" in {code for code, _ in found()}


def test_a_yes_of_the_caller_is_no_proof_of_who_they_are(root: Path, found) -> None:
    def confirmed(flow: Document) -> None:
        flow["nodes"]["sure"] = {
            "kind": "confirm",
            "say": "Are you the account holder?",
            "establishes": ["identity_verified"],
            "on_yes": "pay",
            "on_no": "goodbye",
            "on_unclear": "goodbye",
        }
        edge(flow, "greeting", "verify")["to"] = "sure"

    change(root, FLOW, confirmed)
    assert ("TL403", FLOW) in found()


@pytest.mark.parametrize(
    ("use", "code"),
    [
        ({**CHARGE, "id": "take_payments"}, "TL301"),
        ({**CHARGE, "as": "get_invoice"}, "TL101"),
        ({**CHARGE, "effects": []}, "TL101"),
        ({**CHARGE, "run": {"python": "billing.charge:now"}}, "TL101"),
        ({"id": "crm/take_payment"}, "TL101"),
    ],
)
def test_a_tool_by_another_name_or_with_another_nature(root: Path, found, use, code) -> None:
    change(root, FLOW, lambda flow: flow["nodes"]["greeting"].update(tools=[use]))
    assert (code, FLOW) in found()


def test_a_python_tool_that_lies_beside_the_flow(root: Path, found) -> None:
    """Code of the repository is nobody's tool until compliance has it in the catalogue."""
    (root / "flows/northwind-energy/quick.py").write_text("def charge(**args): ...\n")
    entry = yaml.safe_load((root / "catalog/tools/billing/take_payment.yaml").read_text())
    entry |= {"id": "quick", "effects": [], "run": {"python": "quick:charge"}}
    for where in ("flows/northwind-energy/quick.yaml", "flows/northwind-energy/tools/quick.yaml"):
        path = root / where
        path.parent.mkdir(exist_ok=True)
        path.write_text(yaml.safe_dump(entry), encoding="utf-8")
    change(
        root,
        FLOW,
        lambda flow: flow["nodes"]["greeting"].update(tools=[{**CHARGE, "id": "quick"}]),
    )
    assert ("TL301", FLOW) in found()


def test_an_entry_of_the_same_name_in_another_folder(root: Path, found) -> None:
    entry = yaml.safe_load((root / "catalog/tools/billing/take_payment.yaml").read_text())
    path = root / "catalog/tools/crm/take_payment.yaml"
    path.write_text(yaml.safe_dump({**entry, "effects": ["writes"]}), encoding="utf-8")
    assert "TL102" in {code for code, _ in found()}


@pytest.mark.parametrize("name", ["move_to", "collect", "lk_charge"])
def test_an_entry_of_a_name_that_the_model_knows_already(root: Path, found, name) -> None:
    entry = yaml.safe_load((root / "catalog/tools/billing/take_payment.yaml").read_text())
    path = root / f"catalog/tools/billing/{name}.yaml"
    path.write_text(yaml.safe_dump({**entry, "id": name, "effects": []}), encoding="utf-8")
    assert found()


def test_a_node_twice(root: Path, found) -> None:
    """The later of two would win where a reader takes the last one."""
    text = (root / FLOW).read_text(encoding="utf-8")
    twice = "  verify:\n    edges:\n      - {to: state_invoice, when: they say so}\n  pay:\n"
    (root / FLOW).write_text(text.replace("  pay:\n", twice, 1), encoding="utf-8")
    assert found() == {("TL002", FLOW)}


@pytest.mark.parametrize(
    "policy",
    [
        {"windows": [{"id": "us-window", "hours": {"mon-sun": "00:00-24:00"}}]},
        {"exceptions": [{"rule": "verify-before-payment"}]},
        {"purposes": ["sales"]},
    ],
)
def test_a_policy_of_the_tenants_own(root: Path, found, policy) -> None:
    change(root, TENANT, lambda tenant: tenant.update(policy=policy))
    assert {code for code, path in found() if path == TENANT} & {"TL502", "TL101"}


def test_a_purpose_that_was_not_granted(root: Path, found) -> None:
    change(root, FLOW, lambda flow: flow.update(purpose="care"))
    assert ("TL502", FLOW) in found()


def test_a_number_that_the_flow_writes_itself(root: Path, found) -> None:
    """A message to somebody else: a number in a flow is a finding wherever it stands."""
    use = {"id": "send_sms", "with": {"to": '"+12025550147"', "text": '"Hello"'}}
    change(root, FLOW, lambda flow: flow["nodes"]["greeting"].update(tools=[use]))
    assert found()
