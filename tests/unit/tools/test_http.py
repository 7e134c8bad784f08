"""HTTP tools against back ends that work, and against all the ways in which they do not."""

import asyncio
import json
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.sandbox import Sandbox, running_sandbox
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.answer import LONGEST_ANSWER
from trunkline_runtime.tools.http import HttpRunner
from trunkline_runtime.tools.runner import ToolContext, ToolFailed

Catalogue = Mapping[str, ToolEntry]
Context = Callable[..., ToolContext]

JANE = {"account_id": "A-1001", "full_name": "Jane Doe", "postcode": "20001"}


async def _run(
    sandbox: Sandbox,
    entry: ToolEntry,
    args: Mapping[str, Json],
    context: ToolContext,
    **environment: str,
) -> Json:
    async with HttpRunner({**sandbox.environment, **environment}) as runner:
        return await runner.run(entry, args, context)


async def _failure(
    sandbox: Sandbox,
    entry: ToolEntry,
    args: Mapping[str, Json],
    context: ToolContext,
    **environment: str,
) -> ToolFailed:
    with pytest.raises(ToolFailed) as raised:
        await _run(sandbox, entry, args, context, **environment)
    words = raised.value.message_for_model
    assert not any(secret in words for secret in sandbox.environment.values())
    assert "127.0.0.1" not in words
    assert "http" not in words
    return raised.value


async def test_a_get_answers(sandbox: Sandbox, catalogue: Catalogue, context: Context) -> None:
    assert await _run(sandbox, catalogue["lookup_crm"], JANE, context()) == {"match": "exact"}


async def test_what_the_caller_said_is_escaped(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    args = {"account_id": "A-1001", "full_name": "Jane Doe", "postcode": "20001&name=x#/../é"}
    assert await _run(sandbox, catalogue["lookup_crm"], args, context()) == {"match": "partial"}


async def test_an_argument_cannot_climb_out_of_its_segment(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    for account in ("..", ".", ""):
        args = {**JANE, "account_id": account}
        failed = await _failure(sandbox, catalogue["lookup_crm"], args, context())
        assert failed.message_for_model == f"account_id cannot be {account!r}."
    args = {**JANE, "account_id": "../accounts/A-1001"}
    failed = await _failure(sandbox, catalogue["lookup_crm"], args, context())
    assert failed.message_for_model == "The crm system knows nothing by these details."


async def test_what_was_not_given_is_not_sent(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    args = {"account_id": "A-1001", "outcome": "paid"}
    assert await _run(sandbox, catalogue["update_contact"], args, context()) == {"saved": True}
    rows = sandbox.rows("select last_outcome, last_note from accounts where id = 'A-1001'")
    assert rows == [{"last_outcome": "paid", "last_note": None}]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "The crm system does not let us in."),
        (403, "The crm system does not let us in."),
        (404, "The crm system knows nothing by these details."),
        (409, "The crm system did not accept these details."),
        (422, "The crm system did not accept these details."),
        (429, "The crm system is too busy right now."),
        (500, "The crm system has a problem right now."),
    ],
)
async def test_a_status_becomes_words(
    sandbox: Sandbox, catalogue: Catalogue, context: Context, status: int, words: str
) -> None:
    sandbox.faults.plan("/match", f"status={status}", times=3)
    failed = await _failure(sandbox, catalogue["lookup_crm"], JANE, context())
    assert (failed.message_for_model, failed.kind) == (words, "error")


async def test_an_idempotent_tool_is_tried_again(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    for fault in ("status=503", "close", "status=429"):
        sandbox.faults.plan("/match", fault, times=2)
        assert await _run(sandbox, catalogue["lookup_crm"], JANE, context()) == {"match": "exact"}


async def test_what_cannot_pass_is_not_tried_again(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    sandbox.faults.plan("/match", "status=404")
    await _failure(sandbox, catalogue["lookup_crm"], JANE, context())


async def test_money_is_asked_for_once_and_the_model_is_told_why(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    link = await _run(
        sandbox,
        catalogue["send_payment_link"],
        {"account_id": "A-1001", "amount": 84.5},
        context(key="link"),
    )
    assert isinstance(link, Mapping)
    args = {"account_id": "A-1001", "amount": 84.5, "capture_token": link["capture_token"]}
    entry = replace(catalogue["take_payment"], timeout_seconds=0.2)
    sandbox.faults.plan("/payments", "delay=0.5")
    failed = await _failure(sandbox, entry, args, context())
    assert failed.kind == "timeout"
    assert failed.message_for_model == (
        "The billing system did not answer in time."
        " It may have gone through all the same, so do not try it again."
    )
    # It did go through. The same attempt, asked again by someone, is the same charge.
    assert await _run(sandbox, catalogue["take_payment"], args, context()) == {
        "status": "succeeded",
        "reference": "P-0001",
    }
    assert len(sandbox.rows("select * from payments")) == 1


async def test_a_retried_booking_is_one_booking(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    day = {"service": "call_back", "day": "2026-12-03"}
    openings = await _run(sandbox, catalogue["list_openings"], day, context())
    assert isinstance(openings, Mapping)
    args = {"service": "call_back", "opening": openings["openings"][0], "account_id": "A-1001"}
    sandbox.faults.plan("/bookings", "close")
    booked = await _run(sandbox, catalogue["book_appointment"], args, context())
    assert booked == {"status": "booked", "reference": "B-0001"}
    assert len(sandbox.rows("select * from bookings")) == 1


async def test_a_back_end_that_is_down(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{nobody.getsockname()[1]}"
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
    assert failed.message_for_model == "The crm system cannot be reached."


async def test_a_slow_back_end(sandbox: Sandbox, catalogue: Catalogue, context: Context) -> None:
    entry = replace(catalogue["lookup_crm"], timeout_seconds=0.1, retries=1)
    sandbox.faults.plan("/match", "delay=0.4", times=2)
    failed = await _failure(sandbox, entry, JANE, context())
    assert (failed.kind, failed.message_for_model) == (
        "timeout",
        "The crm system did not answer in time.",
    )


async def test_retries_end_at_the_deadline(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    entry = replace(catalogue["lookup_crm"], retries=10)
    sandbox.faults.plan("/match", "status=503", times=11)
    loop = asyncio.get_running_loop()
    started = loop.time()
    await _failure(sandbox, entry, JANE, context(seconds=0.3))
    assert loop.time() - started < 0.4


async def test_a_back_end_that_says_how_long_to_wait_is_not_asked_past_the_deadline(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    async with _answering(b"HTTP/1.1 429 X\r\nRetry-After: 30\r\nContent-Length: 0\r\n\r\n") as url:
        loop = asyncio.get_running_loop()
        started = loop.time()
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
    assert failed.message_for_model == "The crm system is too busy right now."
    assert loop.time() - started < 1.0


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n{nope",
        b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":NaN}',
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n"
        + b"[" * 60_000,
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
        b"Content-Length: 3\r\n\r\n\x1f\x8b\x08",
    ],
    ids=["html", "broken", "nan", "empty", "deep", "packed"],
)
async def test_an_answer_that_makes_no_sense(
    sandbox: Sandbox, catalogue: Catalogue, context: Context, answer: bytes
) -> None:
    async with _answering(answer) as url:
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
    assert failed.message_for_model == "The crm system gave an answer that makes no sense."


async def test_a_server_that_speaks_no_http(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    async with _answering(b"220 mail ready\r\n") as url:
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
    assert failed.message_for_model == "The crm system broke off."


async def test_an_endless_answer_is_cut_off(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    body = b" " * (LONGEST_ANSWER + 1)
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    async with _answering(head.encode() + body) as url:
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
    assert failed.message_for_model == "The crm system answered with more than can be used."


async def test_a_redirect_on_the_same_host_is_followed(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    path = "/northwind-energy/crm/accounts/A-1001/match?name=Jane%20Doe&postcode=20001"
    sandbox.faults.plan("/match", f"redirect={path}")
    assert await _run(sandbox, catalogue["lookup_crm"], JANE, context()) == {"match": "exact"}


async def test_a_redirect_to_another_host_is_refused(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    with running_sandbox(environment={}) as other:
        sandbox.faults.plan("/match", f"redirect={other.base_url}/northwind-energy/crm")
        failed = await _failure(sandbox, catalogue["lookup_crm"], JANE, context())
    assert failed.message_for_model == "The crm system sends us elsewhere, where we do not go."


async def test_a_redirect_in_circles_ends(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    path = "/northwind-energy/crm/accounts/A-1001/match"
    sandbox.faults.plan("/match", f"redirect={path}", times=4)
    failed = await _failure(sandbox, catalogue["lookup_crm"], JANE, context())
    assert failed.message_for_model == "The crm system sends us in circles."


async def test_the_credential_is_really_needed(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    for token in ("", "wrong"):
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_TOKEN=token
        )
        assert failed.message_for_model == "The crm system does not let us in."


async def test_a_tenant_names_its_own_variable_for_the_credential(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    here = context()
    connections = {
        "crm": {
            "base_url_env": "NORTHWIND_ENERGY_CRM_URL",
            "token_env": "NORTHWIND_ENERGY_SECOND_TOKEN",
        }
    }
    here = replace(here, tenant=replace(here.tenant, connections=connections))
    environment = dict(sandbox.environment)
    environment["NORTHWIND_ENERGY_SECOND_TOKEN"] = environment.pop("NORTHWIND_ENERGY_CRM_TOKEN")
    async with HttpRunner(environment) as runner:
        assert await runner.run(catalogue["lookup_crm"], JANE, here) == {"match": "exact"}


async def test_a_connection_that_is_not_there(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    failed = await _failure(sandbox, catalogue["search_knowledge"], {"query": "x y"}, context())
    assert failed.message_for_model == "The knowledge system is not connected."
    for url in ("", "ftp://files.example", "not a url", "http://[broken"):
        failed = await _failure(
            sandbox, catalogue["lookup_crm"], JANE, context(), NORTHWIND_ENERGY_CRM_URL=url
        )
        assert failed.message_for_model == "The crm system is not set up."


async def test_headers_lists_and_literals(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    run = {
        "http": {
            "method": "POST",
            "path": "/things/{args.id}",
            "query": {"tag": "args.tags", "exact": True},
            "headers": {"X-Line": "args.line"},
            "json": {"deep": {"list": ["args.id", 3], "gone": "args.line"}},
        }
    }
    properties = {
        "id": {"type": "string"},
        "line": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
    }
    entry = _entry(catalogue["send_sms"], run, {"type": "object", "properties": properties})
    heard: list[bytes] = []
    reply = b"HTTP/1.1 204 No Content\r\n\r\n"
    async with _answering(reply, heard) as url:
        args: dict[str, Any] = {"id": "a/b", "tags": ["x", "y"]}
        here = context(key="k-1")
        result = await _run(sandbox, entry, args, here, NORTHWIND_ENERGY_MESSAGING_URL=url)
    assert result == {}
    head, _, body = heard[0].partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /things/a%2Fb?tag=x&tag=y&exact=true HTTP/1.1"
    assert "Idempotency-Key: k-1" in lines
    assert not any(line.startswith("X-Line") for line in lines)
    assert json.loads(body) == {"deep": {"list": ["a/b", 3]}}


async def test_a_header_holds_no_second_line(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    run = {"http": {"method": "GET", "path": "/x", "headers": {"X-Line": "args.line"}}}
    parameters = {"type": "object", "properties": {"line": {"type": "string"}}}
    entry = _entry(catalogue["send_sms"], run, parameters)
    failed = await _failure(sandbox, entry, {"line": "a\r\nX-Evil: 1"}, context())
    assert failed.message_for_model == "The request could not be put together."


async def test_cancelling_stops_the_request(
    sandbox: Sandbox, catalogue: Catalogue, context: Context
) -> None:
    sandbox.faults.plan("/match", "delay=1")
    running = asyncio.create_task(_run(sandbox, catalogue["lookup_crm"], JANE, context()))
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


def _entry(entry: ToolEntry, run: Mapping[str, Any], parameters: Mapping[str, Any]) -> ToolEntry:
    document = {**entry.document, "run": run, "parameters": parameters}
    return ToolEntry.from_document(entry.connection, document)


class _answering:
    """A server that sends the same bytes to everybody; `url` is what the block gets."""

    def __init__(self, answer: bytes, heard: list[bytes] | None = None) -> None:
        self._answer = answer
        self._heard = heard if heard is not None else []

    async def __aenter__(self) -> str:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._heard.append(await reader.read(65_536))
        writer.write(self._answer)
        writer.close()
