"""The sandbox's back ends, asked as a tool asks them."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from trunkline_runtime.sandbox import Sandbox, running_sandbox
from trunkline_runtime.sandbox.faults import Fault, FaultRates, Faults, UnknownFault


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with running_sandbox(environment={}) as sandbox:
        yield sandbox


class Asking:
    """Asks one connection of one tenant, with its credential."""

    def __init__(self, sandbox: Sandbox, connection: str) -> None:
        prefix = connection.upper().replace("-", "_")
        self._url = sandbox.environment[f"{prefix}_URL"]
        self._token = sandbox.environment[f"{prefix}_TOKEN"]

    def __call__(
        self, method: str, path: str, key: str | None = None, **options: Any
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self._token}", **options.pop("headers", {})}
        if key is not None:
            headers["Idempotency-Key"] = key
        return httpx.request(method, self._url + path, headers=headers, trust_env=False, **options)


def test_a_match(sandbox: Sandbox) -> None:
    ask = Asking(sandbox, "northwind-energy_crm")

    def match(name: str, postcode: str) -> str:
        params = {"name": name, "postcode": postcode}
        answer: str = ask("GET", "/accounts/A-1001/match", params=params).json()["match"]
        return answer

    assert match("jane  DOE", "2000 1") == "exact"
    assert match("Jane Doe", "20002") == "partial"
    assert match("John Doe", "20002") == "none"
    assert ask("GET", "/accounts/A-9999/match").status_code == 404


def test_a_payment_from_link_to_charge(sandbox: Sandbox) -> None:
    billing = Asking(sandbox, "northwind-energy_billing")
    messaging = Asking(sandbox, "northwind-energy_messaging")
    invoice = billing("GET", "/accounts/A-1001/invoices/open").json()
    assert (invoice["amount_due"], invoice["invoice_number"]) == (84.5, "NE-24017")
    link = {"account_id": "A-1001", "amount": 84.5}
    token = messaging("POST", "/payment-links", json=link).json()["capture_token"]
    charge = {"amount": 84.5, "capture_token": token}
    wrong = billing("POST", "/accounts/A-1001/payments", json={**charge, "amount": 1})
    assert wrong.status_code == 422
    other = billing("POST", "/accounts/A-1002/payments", json=charge)
    assert other.status_code == 404
    first = billing("POST", "/accounts/A-1001/payments", json=charge, key="k")
    again = billing("POST", "/accounts/A-1001/payments", json=charge, key="k")
    assert first.json() == again.json() == {"status": "succeeded", "reference": "P-0001"}
    assert billing("POST", "/accounts/A-1001/payments", json=charge).status_code == 409
    assert billing("GET", "/accounts/A-1001/invoices/open").json()["amount_due"] == 0
    assert [row["cents"] for row in sandbox.rows("select cents from payments")] == [8450]
    assert [row["recipient"] for row in sandbox.rows("select * from messages")] == ["+12025550143"]


def test_a_card_that_is_declined_and_another_that_is_not(sandbox: Sandbox) -> None:
    billing = Asking(sandbox, "northwind-energy_billing")
    messaging = Asking(sandbox, "northwind-energy_messaging")
    statuses = []
    for _ in range(2):
        link = {"account_id": "A-1002", "amount": 212}
        token = messaging("POST", "/payment-links", json=link).json()["capture_token"]
        charge = {"amount": 212, "capture_token": token}
        statuses.append(billing("POST", "/accounts/A-1002/payments", json=charge).json()["status"])
    assert statuses == ["declined", "succeeded"]


def test_a_page_that_was_left_alone(sandbox: Sandbox) -> None:
    billing = Asking(sandbox, "northwind-energy_billing")
    link = {"account_id": "A-1004", "amount": 43.99}
    messaging = Asking(sandbox, "northwind-energy_messaging")
    token = messaging("POST", "/payment-links", json=link).json()["capture_token"]
    charge = {"amount": 43.99, "capture_token": token}
    answer = billing("POST", "/accounts/A-1004/payments", json=charge).json()
    assert answer == {"status": "waiting"}


def test_a_key_is_for_one_request_of_one_tenants_system(sandbox: Sandbox) -> None:
    messaging = Asking(sandbox, "northwind-energy_messaging")
    text = {"to": "+12025550143", "text": "one"}
    assert messaging("POST", "/messages", json=text, key="k").status_code == 200
    assert messaging("POST", "/messages", json={**text, "text": "two"}, key="k").status_code == 422
    others = Asking(sandbox, "harbor-medical_messaging")
    assert others("POST", "/messages", json={**text, "text": "two"}, key="k").status_code == 200
    assert [row["text"] for row in sandbox.rows("select text from messages")] == ["one", "two"]


def test_a_number_that_cannot_be_reached(sandbox: Sandbox) -> None:
    messaging = Asking(sandbox, "northwind-energy_messaging")
    answer = messaging("POST", "/messages", json={"to": "+12025550198", "text": "one"})
    assert answer.json() == {"sent": False}
    assert sandbox.rows("select * from messages") == []


def test_openings_and_bookings(sandbox: Sandbox) -> None:
    calendar = Asking(sandbox, "harbor-medical_calendar")

    def openings(day: str, **query: str) -> dict[str, Any]:
        params = {"day": day, **query}
        answer: dict[str, Any] = calendar("GET", "/services/medical/openings", params=params).json()
        return answer

    offered = openings("2026-12-03")["openings"]
    assert offered == openings("2026-12-03")["openings"]
    assert 1 < len(offered) <= 6
    assert all(words.startswith("Thursday, December 3 at ") for words in offered)
    morning = openings("2026-12-03", part_of_day="morning")["openings"]
    assert morning
    assert all(words.endswith("AM") for words in morning)
    assert openings("2026-12-06") == {"openings": [], "next_day": "2026-12-07"}
    booking = {"opening": offered[0], "full_name": "Jane Doe"}
    book = "/services/medical/bookings"
    assert calendar("POST", book, json=booking).json() == {
        "status": "booked",
        "reference": "B-0001",
    }
    assert calendar("POST", book, json=booking).json() == {"status": "taken"}
    assert offered[0] not in openings("2026-12-03")["openings"]
    never_offered = {"opening": "Sunday, December 6 at 9:00 AM"}
    assert calendar("POST", book, json=never_offered).status_code == 422
    assert calendar("GET", "/services/medical/openings", params={"day": "soon"}).status_code == 422
    assert calendar("GET", "/services/dental/openings").status_code == 404


def test_two_who_want_the_same_time(sandbox: Sandbox) -> None:
    calendar = Asking(sandbox, "harbor-medical_calendar")
    params = {"day": "2026-12-03"}
    openings = calendar("GET", "/services/medical/openings", params=params).json()["openings"]
    statuses: list[str] = []

    def book() -> None:
        answer = calendar("POST", "/services/medical/bookings", json={"opening": openings[0]})
        statuses.append(answer.json()["status"])

    threads = [threading.Thread(target=book) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == ["booked", *["taken"] * 7]


def test_the_knowledge_of_a_tenant_is_its_own(sandbox: Sandbox) -> None:
    def titles(tenant: str, question: str) -> list[str]:
        answer = Asking(sandbox, f"{tenant}_knowledge")("GET", "/search", params={"q": question})
        return [passage["title"] for passage in answer.json()["passages"]]

    assert titles("harbor-medical", "Where can I park?")[0] == "Parking and how to get here"
    assert titles("atlas-research", "How many years does a battery last?")[0] == (
        "How long a battery lasts"
    )
    assert titles("atlas-research", "Where can I park?") == []


def test_the_humans_side_of_a_transfer(sandbox: Sandbox) -> None:
    desk = Asking(sandbox, "harbor-medical_desk")
    summary = {"department": "cosmetic"}
    answer = desk("POST", "/aesthetics", json={"mode": "warm", "summary": summary}).json()
    assert (answer["answered"], answer["name"]) == (True, "Amira")
    assert desk("POST", "/nobody").status_code == 404
    (row,) = sandbox.rows("select name, mode, summary from transfers")
    assert row == {"name": "aesthetics", "mode": "warm", "summary": '{"department": "cosmetic"}'}


def test_every_credential_opens_one_door(sandbox: Sandbox) -> None:
    environment = sandbox.environment
    url = environment["NORTHWIND_ENERGY_CRM_URL"] + "/accounts/A-1001/match"
    right = environment["NORTHWIND_ENERGY_CRM_TOKEN"]
    others = [value for name, value in environment.items() if "TOKEN" in name and value != right]

    def status(credential: str) -> int:
        headers = {"Authorization": credential}
        return httpx.get(url, headers=headers, trust_env=False).status_code

    assert status(f"Bearer {right}") == 200
    assert {status(credential) for credential in ("", right, "Basic x", "Bearer é".encode())} == {
        401
    }  # type: ignore[arg-type]  # bytes on purpose
    assert {status(f"Bearer {other}") for other in others} == {401}


def test_credentials_come_from_the_environment() -> None:
    given = {"NORTHWIND_ENERGY_CRM_TOKEN": "from-outside"}
    with running_sandbox(environment=given) as sandbox:
        assert sandbox.environment["NORTHWIND_ENERGY_CRM_TOKEN"] == "from-outside"
        ask = Asking(sandbox, "northwind-energy_crm")
        assert ask("GET", "/accounts/A-1001/match").status_code == 200


def test_what_is_not_there(sandbox: Sandbox) -> None:
    ask = Asking(sandbox, "northwind-energy_crm")
    assert ask("GET", "/nothing").status_code == 404
    assert ask("DELETE", "/accounts/A-1001/match").status_code == 405
    assert ask("PUT", "/accounts/A-1001/last-contact", content=b"{").status_code == 400
    assert ask("PUT", "/accounts/A-1001/last-contact", content=b"[]").status_code == 400
    assert ask("PUT", "/accounts/A-1001/last-contact", json={}).status_code == 422
    nowhere = httpx.get(sandbox.base_url + "/someone/crm/accounts/1/match", trust_env=False)
    assert nowhere.status_code == 404


def test_failures_on_purpose(sandbox: Sandbox) -> None:
    ask = Asking(sandbox, "northwind-energy_crm")

    def asked(fault: str) -> httpx.Response:
        headers = {"X-Sandbox-Fault": fault}
        return ask("GET", "/accounts/A-1001/match", headers=headers)

    assert asked("status=503").status_code == 503
    assert asked("nonsense").headers["content-type"] == "text/html"
    assert asked("delay=0.05").json() == {"match": "none"}
    assert asked("redirect=/x").headers["location"] == "/x"
    assert asked("flood").status_code == 400
    with pytest.raises(httpx.RemoteProtocolError):
        asked("close")


def test_rates_of_failure_are_the_same_for_the_same_seed() -> None:
    environment = {
        "TRUNKLINE_SANDBOX_ERROR_RATE": "0.3",
        "TRUNKLINE_SANDBOX_NONSENSE_RATE": "0.2",
        "TRUNKLINE_SANDBOX_SEED": "7",
    }

    def drawn() -> list[Fault]:
        faults = Faults(FaultRates.from_environment(environment))
        return [faults.next_for("/x", None) for _ in range(400)]

    first = drawn()
    assert first == drawn()
    assert 80 < sum(fault.status is not None for fault in first) < 160
    assert 30 < sum(fault.nonsense for fault in first) < 90


@pytest.mark.parametrize("text", ["flood", "status=high", "", "delay"])
def test_a_fault_that_nobody_can_follow(text: str) -> None:
    with pytest.raises(UnknownFault):
        Fault.parse(text)


def test_data_that_outlives_the_run(tmp_path: Path) -> None:
    database = tmp_path / "sandbox.db"
    for expected in ("succeeded", "no_such_row"):
        with running_sandbox(environment={}, database=database) as sandbox:
            ask = Asking(sandbox, "northwind-energy_crm")
            if expected == "succeeded":
                body = {"outcome": "paid"}
                assert ask("PUT", "/accounts/A-1001/last-contact", json=body).status_code == 200
            rows = sandbox.rows("select last_outcome from accounts where id = 'A-1001'")
            assert rows == [{"last_outcome": "paid"}]


def test_the_command_prints_what_tools_need_and_stops_when_asked(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "trunkline_runtime.sandbox", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        printed: dict[str, str] = {}
        while "TRUNKLINE_SUBAGENT_LLM_MODEL" not in printed:
            name, _, value = process.stdout.readline().strip().partition("=")
            assert name, "it ended before it had printed everything"
            printed[name] = value
        url = printed["NORTHWIND_ENERGY_CRM_URL"] + "/accounts/A-1001/match"
        headers = {"Authorization": f"Bearer {printed['NORTHWIND_ENERGY_CRM_TOKEN']}"}
        assert httpx.get(url, headers=headers, trust_env=False).json() == {"match": "none"}
        process.terminate()
        assert process.wait(5) == 0


def test_a_port_that_is_taken_is_one_clear_line(sandbox: Sandbox) -> None:
    port = sandbox.base_url.rpartition(":")[2]
    command = [sys.executable, "-m", "trunkline_runtime.sandbox", "--port", port]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "Error: the sandbox cannot run: Address already in use\n"
