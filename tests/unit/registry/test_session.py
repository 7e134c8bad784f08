"""A session with a registry that trades passwords for tokens, redirects, pages its lists."""

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import pytest

from trunkline_runtime.table.registry import reading, writing
from trunkline_runtime.table.registry.address import read_address
from trunkline_runtime.table.registry.failure import Denied, Later, Nonsense, Unreachable
from trunkline_runtime.table.registry.session import Patience, Session
from trunkline_runtime.table.registry.transport import Answer, Request

PATIENCE = Patience(tries=3, pause=0.001, wait=0.01)


@dataclass
class Scripted:
    """A transport that answers by a function, and remembers what it was asked."""

    answer: Callable[[Request], Answer | Exception]
    asked: list[Request] = field(default_factory=list)

    @contextmanager
    def send(self, request: Request) -> Iterator[Answer]:
        self.asked.append(request)
        answer = self.answer(request)
        if isinstance(answer, Exception):
            raise answer
        yield answer


def says(status: int, body: bytes = b"", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, named, iter([body] if body else []))


@pytest.fixture(autouse=True)
def login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUNKLINE_REGISTRY_USER", "ada")
    monkeypatch.setenv("TRUNKLINE_REGISTRY_PASSWORD", "secret")


def session(answer: Callable[[Request], Answer | Exception]) -> tuple[Session, Scripted]:
    transport = Scripted(answer)
    return Session(transport, read_address("oci://reg.example/x"), PATIENCE), transport


BASIC = "Basic " + base64.b64encode(b"ada:secret").decode()
BEARER = 'Bearer realm="https://auth.example/token",service="reg"'


def with_tokens(request: Request) -> Answer:
    """A registry that wants a token of another host."""
    parts = urlsplit(request.url)
    if parts.netloc == "auth.example":
        if request.headers.get("authorization") != BASIC:
            return says(401)
        (scope,) = parse_qs(parts.query)["scope"]
        return says(200, f'{{"token": "for {scope}", "expires_in": 300}}'.encode())
    if not request.headers.get("authorization", "").startswith("Bearer for repository:"):
        return says(401, www_authenticate=BEARER)
    return says(200, b'{"tags": ["v1"]}')


def test_a_password_is_traded_for_a_token_once() -> None:
    mine, transport = session(with_tokens)
    assert reading.tags(mine, "x/acme") == ["v1"]
    assert reading.tags(mine, "x/acme") == ["v1"]
    hosts = [urlsplit(request.url).netloc for request in transport.asked]
    assert hosts == ["reg.example", "auth.example", "reg.example", "reg.example"]
    assert reading.tags(mine, "x/birch") == ["v1"]
    assert sum(urlsplit(request.url).netloc == "auth.example" for request in transport.asked) == 2


def test_a_token_that_has_run_out_is_renewed() -> None:
    valid = ["one"]

    def answer(request: Request) -> Answer:
        if "auth.example" in request.url:
            return says(200, f'{{"access_token": "{valid[0]}"}}'.encode())
        if request.headers.get("authorization") != f"Bearer {valid[0]}":
            return says(401, www_authenticate=BEARER)
        return says(200, b'{"tags": []}')

    mine, _ = session(answer)
    assert reading.tags(mine, "x/acme") == []
    valid[0] = "two"
    assert reading.tags(mine, "x/acme") == []


@pytest.mark.parametrize(
    ("challenge", "error", "said"),
    [
        ('Bearer realm="http://auth.example/token"', Nonsense, "a place that is not safe"),
        ('Bearer realm="ftp://auth.example"', Nonsense, "a place that is not safe"),
        ("Bearer", Nonsense, "a place that is not safe"),
        ("Negotiate", Nonsense, "a login of an unknown kind"),
        ('Basic realm="x"', Denied, "refuses these credentials"),
    ],
)
def test_a_password_goes_nowhere_else(challenge: str, error: type[Exception], said: str) -> None:
    mine, transport = session(lambda request: says(401, www_authenticate=challenge))
    with pytest.raises(error, match=said) as caught:
        reading.tags(mine, "x/acme")
    assert "secret" not in str(caught.value)
    assert {urlsplit(request.url).netloc for request in transport.asked} == {"reg.example"}


@pytest.mark.parametrize("body", [b"", b"nonsense", b"[]", b'{"token": 7}', b'{"token": "a\\nb"}'])
def test_a_token_that_is_none(body: bytes) -> None:
    def answer(request: Request) -> Answer:
        if "auth.example" in request.url:
            return says(200, body)
        return says(401, www_authenticate=BEARER)

    mine, _ = session(answer)
    with pytest.raises(Nonsense, match="gave no token"):
        reading.tags(mine, "x/acme")


def test_an_upload_to_another_host_gets_no_password() -> None:
    """A registry names the place of an upload; our header is for the registry alone."""

    def answer(request: Request) -> Answer:
        if request.method == "POST":
            if "authorization" not in request.headers:
                return says(401, www_authenticate='Basic realm="x"')
            return says(202, location="https://storage.example/upload?sig=1")
        return says(201)

    mine, transport = session(answer)
    writing.put_blob(mine, "x/acme", b"data")
    put = transport.asked[-1]
    assert put.url.startswith("https://storage.example/upload?sig=1&digest=sha256:")
    assert "authorization" not in put.headers


@pytest.mark.parametrize("place", ["/v2/x/acme/blobs/uploads/1", "https://reg.example/up"])
def test_the_place_of_an_upload_may_be_a_path(place: str) -> None:
    def answer(request: Request) -> Answer:
        return says(202, location=place) if request.method == "POST" else says(201)

    mine, transport = session(answer)
    writing.put_blob(mine, "x/acme", b"data")
    assert transport.asked[-1].url.startswith("https://reg.example/")
    assert "?digest=sha256:" in transport.asked[-1].url


def test_a_long_list_comes_in_pages() -> None:
    def answer(request: Request) -> Answer:
        if "last=v1" in request.url:
            return says(200, b'{"tags": ["v2"]}')
        link = '</v2/x/acme/tags/list?last=v1&n=1>; rel="next"'
        return says(200, b'{"tags": ["v1"]}', link=link)

    mine, _ = session(answer)
    assert reading.tags(mine, "x/acme") == ["v1", "v2"]


def test_a_list_that_never_ends_or_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_MOST_PAGES", 3)
    again = '</v2/x/acme/tags/list>; rel="next"'
    mine, transport = session(lambda request: says(200, b'{"tags": null}', link=again))
    assert reading.tags(mine, "x/acme") == []
    assert len(transport.asked) == 3
    for body in (b"<html>", b"[]", b'{"tags": 7}'):
        mine, _ = session(lambda request, body=body: says(200, body))
        with pytest.raises(Nonsense):
            reading.tags(mine, "x/acme")


def test_it_asks_again_and_then_gives_up() -> None:
    for answer, error in (
        (says(500), Unreachable),
        (Unreachable("no route"), Unreachable),
        (says(429), Later),
    ):
        mine, transport = session(lambda request, answer=answer: answer)
        with pytest.raises(error):
            reading.tags(mine, "x/acme")
        assert len(transport.asked) == 3


def test_a_long_wish_is_passed_on_at_once() -> None:
    mine, transport = session(lambda request: says(503, retry_after="3600"))
    with pytest.raises(Later) as caught:
        reading.tags(mine, "x/acme")
    assert caught.value.seconds == 3600
    assert len(transport.asked) == 1


def test_a_refusal_to_take_something_is_told_in_its_words() -> None:
    mine, _ = session(lambda request: says(400, b'{"errors":[{"code":"MANIFEST_INVALID"}]}\x1b[2J'))
    with pytest.raises(
        Nonsense, match=r"did not take x/acme:v1: .* 400 .*MANIFEST_INVALID"
    ) as caught:
        writing.put_manifest(mine, "x/acme", "v1", b"{}")
    assert "\x1b" not in str(caught.value)


def test_an_etag_is_sent_back() -> None:
    def answer(request: Request) -> Answer:
        if request.headers.get("if-none-match") == '"mark"':
            return says(304)
        return says(200, b"{}", etag='"mark"')

    mine, _ = session(answer)
    found = reading.manifest(mine, "x/acme", "channels")
    assert isinstance(found, reading.Found)
    again = reading.manifest(mine, "x/acme", "channels", found.etag)
    assert isinstance(again, reading.Unchanged)
