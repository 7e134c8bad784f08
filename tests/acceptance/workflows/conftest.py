"""GitHub as the forge sees it: a REST server on loopback that keeps what it is told."""

import io
import json
import re
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

PAGE = 2  # items a page, whatever is asked for: a list of three already has two pages
TOKEN = "token-of-the-job"
REPOSITORY = "acme/calls"


@dataclass
class FakeGitHub:
    """What the server holds, and what it was asked to change."""

    url: str = ""
    runs: dict[int, dict[str, Any]] = field(default_factory=dict)
    pulls: list[dict[str, Any]] = field(default_factory=list)
    files: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    artifacts: dict[int, list[tuple[dict[str, Any], bytes]]] = field(default_factory=dict)
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    labels: dict[int, list[str]] = field(default_factory=dict)
    known_labels: dict[str, dict[str, Any]] = field(default_factory=dict)
    issues: list[dict[str, Any]] = field(default_factory=list)
    releases: dict[str, dict[str, Any]] = field(default_factory=dict)
    tags: Callable[[], dict[str, str]] = dict  # tag → commit, as git has them now
    writes: list[str] = field(default_factory=list)
    failing: list[int] = field(default_factory=list)  # statuses of the next answers
    leaked: list[str] = field(default_factory=list)

    def environment(self) -> dict[str, str]:
        return {
            "GITHUB_API_URL": self.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GH_TOKEN": TOKEN,
        }

    def pull_request(self, number: int, head: str, *, owner: str = "stranger") -> int:
        """An open pull request from a fork, and the run of the check on it. Returns the run."""
        run = 1000 + number
        self.pulls.append(
            {
                "number": number,
                "state": "open",
                "head": {"sha": head, "label": f"{owner}:words"},
                "base": {"ref": "main"},
            }
        )
        self.runs[run] = {
            "id": run,
            "event": "pull_request",
            "head_sha": head,
            "head_branch": "words",
            "head_repository": {"owner": {"login": owner}},
            "html_url": f"https://github.com/{REPOSITORY}/actions/runs/{run}",
        }
        return run

    def upload(self, run: int, data: bytes, name: str = "changes.json") -> None:
        """What the run hands over, as upload-artifact packs it."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(name, data)
        self.upload_zip(run, packed.getvalue())

    def upload_zip(self, run: int, data: bytes, size: int | None = None) -> None:
        mine = self.artifacts.setdefault(run, [])
        id = run * 10 + len(mine)
        mine.append(
            (
                {
                    "id": id,
                    "name": "changes",
                    "size_in_bytes": len(data) if size is None else size,
                    "expired": False,
                },
                data,
            )
        )

    # What the server answers: (status, JSON).

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if method != "GET":
            self.writes.append(f"{method} {path}")
        for pattern, handler in _ROUTES:
            found = re.fullmatch(pattern, f"{method} {path}")
            if found is not None:
                return handler(self, query, body, *map(unquote, found.groups()))
        return 404, {"message": "Not Found"}

    def _run(self, query: Any, body: Any, id: str) -> tuple[int, Any]:
        return _or_404(self.runs.get(int(id)))

    def _artifacts(self, query: Any, body: Any, run: str) -> tuple[int, Any]:
        return 200, {"artifacts": [meta for meta, _ in self.artifacts.get(int(run), [])]}

    def _pulls(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [
            one
            for one in self.pulls
            if one["state"] == query["state"] and one["head"]["label"] == query["head"]
        ]

    def _files(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        return 200, self.files.get(int(number), [])

    def _comments(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        return 200, self.comments.setdefault(int(number), [])

    def comment(self, number: int, body: str, kind: str = "Bot", by: str = "NONE") -> None:
        mine = self.comments.setdefault(number, [])
        id = number * 100 + len(mine)
        mine.append({"id": id, "body": body, "user": {"type": kind}, "author_association": by})

    def _new_comment(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.comment(int(number), body["body"])
        return 201, {}

    def _edit_comment(self, query: Any, body: Any, id: str) -> tuple[int, Any]:
        for comment in (one for many in self.comments.values() for one in many):
            if comment["id"] == int(id):
                comment["body"] = body["body"]
                return 200, comment
        return 404, {}

    def _labels(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        return 200, [{"name": name} for name in self.labels.get(int(number), [])]

    def _add_label(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.labels.setdefault(int(number), []).extend(body["labels"])
        return 200, []

    def _drop_label(self, query: Any, body: Any, number: str, name: str) -> tuple[int, Any]:
        self.labels[int(number)].remove(name)
        return 200, []

    def _known_label(self, query: Any, body: Any, name: str) -> tuple[int, Any]:
        return _or_404(self.known_labels.get(name))

    def _new_label(self, query: Any, body: Any) -> tuple[int, Any]:
        self.known_labels[body["name"]] = body
        return 201, body

    def _issues(self, query: dict[str, str], body: Any) -> tuple[int, Any]:
        return 200, [one for one in self.issues if one["state"] == query["state"]]

    def _new_issue(self, query: Any, body: Any) -> tuple[int, Any]:
        number = len(self.issues) + 1
        self.issues.append({"number": number, "state": "open", "user": {"type": "Bot"}, **body})
        return 201, {}

    def _edit_issue(self, query: Any, body: Any, number: str) -> tuple[int, Any]:
        self.issues[int(number) - 1].update(body)
        return 200, {}

    def _release(self, query: Any, body: Any, tag: str) -> tuple[int, Any]:
        return _or_404(self.releases.get(tag))

    def _new_release(self, query: Any, body: Any) -> tuple[int, Any]:
        if body["tag_name"] in self.releases:
            return 422, {"message": "Validation Failed"}
        self.releases[body["tag_name"]] = body
        return 201, body

    def _tag(self, query: Any, body: Any, tag: str) -> tuple[int, Any]:
        sha = self.tags().get(tag)
        return _or_404(sha and {"object": {"type": "commit", "sha": sha}})


def _or_404(found: Any) -> tuple[int, Any]:
    return (200, found) if found else (404, {"message": "Not Found"})


_ROUTES = (
    (r"GET actions/runs/(\d+)", FakeGitHub._run),
    (r"GET actions/runs/(\d+)/artifacts", FakeGitHub._artifacts),
    (r"GET pulls", FakeGitHub._pulls),
    (r"GET pulls/(\d+)/files", FakeGitHub._files),
    (r"GET issues/(\d+)/comments", FakeGitHub._comments),
    (r"POST issues/(\d+)/comments", FakeGitHub._new_comment),
    (r"PATCH issues/comments/(\d+)", FakeGitHub._edit_comment),
    (r"GET issues/(\d+)/labels", FakeGitHub._labels),
    (r"POST issues/(\d+)/labels", FakeGitHub._add_label),
    (r"DELETE issues/(\d+)/labels/([^/]+)", FakeGitHub._drop_label),
    (r"GET labels/([^/]+)", FakeGitHub._known_label),
    (r"POST labels", FakeGitHub._new_label),
    (r"GET issues", FakeGitHub._issues),
    (r"POST issues", FakeGitHub._new_issue),
    (r"PATCH issues/(\d+)", FakeGitHub._edit_issue),
    (r"GET releases/tags/(.+)", FakeGitHub._release),
    (r"POST releases", FakeGitHub._new_release),
    (r"GET git/ref/tags/(.+)", FakeGitHub._tag),
)


@pytest.fixture
def github() -> Iterator[FakeGitHub]:
    fake = FakeGitHub()

    class Api(BaseHTTPRequestHandler):
        """The REST interface, and beside it the host that serves artifacts without a token."""

        def handle_any(self) -> None:
            asked = urlsplit(self.path)
            if asked.path.startswith("/blobs/"):
                # Another host in truth: a token that arrives here was given to a stranger.
                if self.headers.get("Authorization"):
                    fake.leaked.append(self.path)
                self.reply(200, _blob(fake, int(asked.path.removeprefix("/blobs/"))))
                return
            if fake.failing:
                self.reply(fake.failing.pop(0), b"{}")
                return
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.reply(401, b'{"message": "Bad credentials"}')
                return
            path = asked.path.removeprefix(f"/repos/{REPOSITORY}/")
            zipped = re.fullmatch(r"actions/artifacts/(\d+)/zip", path)
            if zipped:
                place = fake.url.replace("127.0.0.1", "localhost")
                self.reply(302, b"", Location=f"{place}/blobs/{zipped[1]}")
                return
            query = {name: values[0] for name, values in parse_qs(asked.query).items()}
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            status, answer = fake.answer(self.command, path, query, body)
            self.paged(status, answer, query)

        def paged(self, status: int, answer: Any, query: dict[str, str]) -> None:
            key = next(iter(answer), None) if isinstance(answer, dict) else None
            items = answer if isinstance(answer, list) else answer.get("artifacts")
            if items is None:
                self.reply(status, json.dumps(answer).encode())
                return
            page = int(query.get("page", 1))
            part = items[(page - 1) * PAGE : page * PAGE]
            links = {}
            if len(items) > page * PAGE:
                asked = urlsplit(self.path).path
                others = {name: value for name, value in query.items() if name != "page"}
                following = "&".join(f"{k}={v}" for k, v in {**others, "page": page + 1}.items())
                links["Link"] = (
                    f'<{fake.url}{asked}?page=1>; rel="first", '
                    f'<{fake.url}{asked}?{following}>; rel="next"'
                )
            out = part if isinstance(answer, list) else {key: part}
            self.reply(status, json.dumps(out).encode(), **links)

        def reply(self, status: int, data: bytes, **headers: str) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_any

        def log_message(self, format: str, *args: Any) -> None:
            """The test's output is no access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield fake
    server.shutdown()
    thread.join()
    server.server_close()
    assert fake.leaked == []


def _blob(fake: FakeGitHub, id: int) -> bytes:
    return next(data for many in fake.artifacts.values() for meta, data in many if meta["id"] == id)
