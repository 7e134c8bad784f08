"""HTTP tools against a back end that means harm: leads elsewhere, never ends, tells secrets."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.http import HttpRunner
from trunkline_runtime.tools.limited import run_limited
from trunkline_runtime.tools.runner import ToolContext, ToolFailed

Context = Callable[..., ToolContext]
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]

TOKEN = "test-token-1d8f"
ELSEWHERE = "The crm system sends us elsewhere, where we do not go."
NOT_AGAIN = " It may have gone through all the same, so do not try it again."
JSON = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


class Server:
    """Answers each request as it is told; the last way stays. `heard` are the heads it was sent."""

    def __init__(self, *answers: bytes | Answer, host: str = "127.0.0.1") -> None:
        self._answers = list(answers)
        self._host = host
        self.heard: list[str] = []
        self.stopped = asyncio.Event()

    async def __aenter__(self) -> "Server":
        self._server = await asyncio.start_server(self._serve, self._host, 0)
        self.port = self._server.sockets[0].getsockname()[1]
        shown = f"[{self._host}]" if ":" in self._host else self._host
        self.url = f"http://{shown}:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.stopped.set()
        self._server.close()
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.heard.append(head)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        try:
            if isinstance(answer, bytes):
                writer.write(answer)
            else:
                await answer(writer)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()


def with_body(body: str | bytes, head: str = JSON) -> bytes:
    data = body.encode() if isinstance(body, str) else body
    return f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data


def redirect(to: str, status: int = 302) -> bytes:
    return f"HTTP/1.1 {status} X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n".encode()


def tool(method: str = "GET", **more: Any) -> ToolEntry:
    document = {
        "schema_version": 1,
        "id": "ask",
        "description": "A tool.",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}},
        "result": {"type": "object"},
        "effects": [],
        "timeout_seconds": 2,
        "idempotent": method == "GET",
        "run": {"http": {"method": method, "path": "/ask", "query": {"name": "args.name"}}},
        **more,
    }
    return ToolEntry.from_document("crm", document)


@pytest.fixture
def ask(context: Context) -> Callable[..., Awaitable[Json]]:
    async def run(url: str, entry: ToolEntry, seconds: float = 5.0, token: str = TOKEN) -> Json:
        environment = {"NORTHWIND_ENERGY_CRM_URL": url, "NORTHWIND_ENERGY_CRM_TOKEN": token}
        async with HttpRunner(environment) as runner:
            return await runner.run(entry, {"name": "Jane Doe"}, context(seconds=seconds))

    return run


async def failure(running: Awaitable[Json]) -> ToolFailed:
    with pytest.raises(ToolFailed) as raised:
        await running
    assert TOKEN not in raised.value.message_for_model
    assert "Jane" not in raised.value.message_for_model
    return raised.value


@pytest.mark.parametrize(
    "to",
    [
        "http://{other}/",
        "//{other}/",
        "http://{host}:{port}@{other}/",
        "http://{host}:{port}\\@{other}/",
        "http://{other}#@{host}:{port}/",
        "http://user:secret@{host}:{port}/",
        "https://{host}:{port}/",
        "http://{host}/",
        "http://{host}:1/",
        "http://{host}.:{port}/",
        "http://localhost:{port}/",
        "http://127.1:{port}/",
        "http://2130706433:{port}/",
        "http://[::1]:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "ftp://{host}:{port}/",
        "javascript:alert(1)",
        "http://{host}:99999999/",
        "http://[broken/",
        "",
    ],
)
async def test_no_redirect_leads_out(ask: Any, to: str) -> None:
    async with Server(with_body("{}")) as other, Server(b"") as home:
        place = {"other": f"127.0.0.1:{other.port}", "host": "127.0.0.1", "port": home.port}
        home._answers = [redirect(to.format(**place))]
        failed = await failure(ask(home.url, tool()))
    # httpx itself breaks off where an address is none
    assert failed.message_for_model in (ELSEWHERE, "The crm system broke off.")
    assert other.heard == []
    assert len(home.heard) == 1


async def test_a_redirect_within_a_home_by_ipv6_is_followed_and_none_leaves_it(ask: Any) -> None:
    async with Server(b"", with_body('{"a": 1}'), host="::1") as home:
        home._answers[0] = redirect(f"http://[::1]:{home.port}/there")
        assert await ask(home.url, tool()) == {"a": 1}
        home._answers = [redirect(f"http://127.0.0.1:{home.port}/there")]
        assert (await failure(ask(home.url, tool()))).message_for_model == ELSEWHERE


@pytest.mark.parametrize("status", [301, 302, 303])
async def test_a_redirect_that_would_turn_a_wish_into_a_question_leaves_a_doubt(
    ask: Any, status: int
) -> None:
    async with Server(redirect("/done", status)) as home:
        failed = await failure(ask(home.url, tool("POST")))
    assert (failed.message_for_model, failed.nothing_done) == (ELSEWHERE + NOT_AGAIN, False)
    assert len(home.heard) == 1


@pytest.mark.parametrize("status", [307, 308])
async def test_a_redirect_that_keeps_the_wish_carries_its_key(ask: Any, status: int) -> None:
    async with Server(redirect("/there", status), with_body("{}")) as home:
        assert await ask(home.url, tool("POST")) == {}
    assert [head.split(" HTTP")[0] for head in home.heard] == [
        "POST /ask?name=Jane+Doe",
        "POST /there",
    ]
    keys = {line for head in home.heard for line in head.split("\r\n") if "Idempotency" in line}
    assert len(keys) == 1


@pytest.mark.parametrize("base", ["http://user:secret@{host}", "{url}?key=1", "{url}#x", "{url}/?"])
async def test_a_base_url_with_more_than_an_address_is_not_set_up(
    ask: Any, base: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with Server(with_body("{}")) as home:
        url = base.format(url=home.url, host=f"127.0.0.1:{home.port}")
        failed = await failure(ask(url, tool()))
    assert (failed.message_for_model, failed.nothing_done) == (
        "The crm system is not set up.",
        True,
    )
    assert home.heard == []
    assert "NORTHWIND_ENERGY_CRM_URL" in caplog.text, "the operator is told which variable"
    assert "secret" not in caplog.text


async def test_a_credential_from_a_file_ends_with_a_line_break_and_one_with_two_lines_is_none(
    ask: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with Server(with_body("{}")) as home:
        assert await ask(home.url, tool(), token=f"{TOKEN}\n") == {}
        assert f"Authorization: Bearer {TOKEN}\r\n" in home.heard[0]
        for token in (f"{TOKEN}\r\nX-Evil: 1", f"{TOKEN}é"):
            failed = await failure(ask(home.url, tool(), token=token))
            assert failed.message_for_model == "The crm system is not set up."
    assert len(home.heard) == 1
    assert TOKEN not in caplog.text


async def trickles(writer: asyncio.StreamWriter) -> None:
    writer.write(f"{JSON}\r\n".encode())
    for _ in range(500):
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


async def trickles_a_head(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(500):
        writer.write(f"X-{number}: 1\r\n".encode())
        await writer.drain()
        await asyncio.sleep(0.01)


async def pours(writer: asyncio.StreamWriter) -> None:
    writer.write(f"{JSON}Transfer-Encoding: chunked\r\n\r\n".encode())
    for _ in range(2000):
        writer.write(b"1000\r\n" + b" " * 0x1000 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize("way", [trickles, trickles_a_head])
async def test_a_back_end_that_trickles_for_ever_is_left_in_time(ask: Any, way: Answer) -> None:
    loop = asyncio.get_running_loop()
    async with Server(way) as home:
        began = loop.time()
        failed = await failure(ask(home.url, tool(timeout_seconds=0.3)))
    assert loop.time() - began < 1.0
    assert (failed.kind, failed.message_for_model) == (
        "timeout",
        "The crm system did not answer in time.",
    )


async def test_a_back_end_that_pours_for_ever_is_cut_off(ask: Any) -> None:
    async with Server(pours) as home:
        failed = await failure(ask(home.url, tool()))
    assert failed.message_for_model == "The crm system answered with more than can be used."


CUT = f'{JSON}Transfer-Encoding: chunked\r\n\r\n5\r\n{{"a":\r\n'.encode()
SHORT = f'{JSON}Content-Length: 90\r\n\r\n{{"a": 1}}'.encode()
LYING = f"{JSON}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n".encode()


@pytest.mark.parametrize("answer", [CUT, SHORT, LYING], ids=["cut", "short", "lying"])
async def test_an_answer_that_is_cut_is_none_although_it_could_be_read(
    ask: Any, answer: bytes
) -> None:
    async with Server(answer) as home:
        failed = await failure(ask(home.url, tool()))
        assert failed.message_for_model == "The crm system broke off."
        failed = await failure(ask(home.url, tool("POST")))
        assert failed.message_for_model == "The crm system broke off." + NOT_AGAIN


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429, 408])
async def test_only_what_is_idempotent_is_tried_again(ask: Any, status: int) -> None:
    broken = f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode()
    async with Server(broken, with_body("{}")) as home:
        assert await ask(home.url, tool(retries=1)) == {}
        assert len(home.heard) == 2
    async with Server(broken, with_body("{}")) as home:
        failed = await failure(ask(home.url, tool("POST", retries=3)))
        assert len(home.heard) == 1
    assert failed.nothing_done is (status == 429)
    assert (NOT_AGAIN in failed.message_for_model) is (status != 429)


async def test_it_waits_as_long_as_it_is_told(ask: Any) -> None:
    busy = b"HTTP/1.1 429 X\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"
    loop = asyncio.get_running_loop()
    async with Server(busy, with_body("{}")) as home:
        began = loop.time()
        assert await ask(home.url, tool(retries=1)) == {}
    assert 1.0 <= loop.time() - began < 2.0


@pytest.mark.parametrize(
    "after", ["-1", "1e9", "9" * 400, "٣", "Wed, 21 Oct 2065 07:28:00 GMT", ""]
)
async def test_it_is_not_led_astray_by_how_long_it_is_told(ask: Any, after: str) -> None:
    busy = f"HTTP/1.1 429 X\r\nRetry-After: {after}\r\nContent-Length: 0\r\n\r\n".encode()
    loop = asyncio.get_running_loop()
    async with Server(busy) as home:
        began = loop.time()
        failed = await failure(ask(home.url, tool(retries=1), seconds=0.5))
    assert failed.message_for_model == "The crm system is too busy right now."
    assert loop.time() - began < 1.0


ODD = {
    "infinite": '{"a": 1e400}',
    "half a character": '{"a": "\\ud800"}',
    "not a result": '["a"]',
    "our own credential": json.dumps({"you sent": f"Bearer {TOKEN}"}),
}


@pytest.mark.parametrize("body", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_what_nobody_can_use_or_may_read_never_reaches_the_model(
    context: Context, body: str, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    here = context()
    async with Server(with_body(body)) as home:
        environment = {"NORTHWIND_ENERGY_CRM_URL": home.url, "NORTHWIND_ENERGY_CRM_TOKEN": TOKEN}
        async with HttpRunner(environment) as runner:
            finished = await run_limited(
                {"http": runner},
                tool(method),
                {},
                call_id="call-1",
                tenant=here.tenant,
                idempotency_key="key",
                language="en-US",
            )
    assert (finished.failure, finished.value) == ("error", None)
    assert "makes no sense" in finished.words
    assert finished.words.endswith(NOT_AGAIN) is (method == "POST")
    assert TOKEN not in finished.words + caplog.text


@pytest.mark.parametrize("status", [200, 404, 500])
async def test_no_log_line_at_any_level_tells_an_argument_or_a_secret(
    ask: Any, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    secret = f'{{"error": "Jane Doe, {TOKEN}"}}' if status != 200 else "{}"
    head = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n"
    caplog.set_level(logging.DEBUG)
    async with Server(with_body(secret, head)) as home:
        try:
            await ask(home.url, tool())
        except ToolFailed as failed:
            assert TOKEN not in failed.message_for_model
        assert "name=Jane+Doe" in home.heard[0], "it was sent"
    assert "Jane" not in caplog.text
    assert TOKEN not in caplog.text


async def test_who_is_cancelled_leaves_no_connection_behind(ask: Any) -> None:
    gone = asyncio.Event()

    async def waits(writer: asyncio.StreamWriter) -> None:
        writer.write(f"{JSON}\r\n".encode())
        try:
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
        except ConnectionError:
            gone.set()

    async with Server(waits) as home:
        running = asyncio.ensure_future(ask(home.url, tool()))
        await asyncio.sleep(0.1)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        await asyncio.wait_for(gone.wait(), 2)
