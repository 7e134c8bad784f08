"""GitHub's REST interface, as much of it as the forge needs, over the standard library.

Source: https://docs.github.com/rest (version 2022-11-28).
"""

import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from trunkline.failure import FatalError

Method = Literal["GET", "POST", "PATCH", "PUT", "DELETE"]

_SECONDS = 30.0
_TRIES = 3
_PAUSE_SECONDS = 1.0
_ANSWER_BYTES = 16 * 1024 * 1024
_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+")
_NEXT = re.compile(r'<([^>]+)>;\s*rel="next"')


class NotFound(FatalError):
    """GitHub knows nothing of that name, or the token may not see it."""


class TooLarge(Exception):
    """A download is larger than its reader allows."""


@dataclass(frozen=True)
class GitHub:
    """One repository on GitHub. The token goes to `api` alone, never along a redirect."""

    api: str
    repository: str
    token: str

    def get(self, path: str, **query: str | int) -> Any:
        """The JSON at `path` below the repository. Raises FatalError for any other answer."""
        return self._json("GET", self._url(path, query), None)

    def find(self, path: str) -> Any:
        """Like `get`, and None where GitHub knows nothing of that name."""
        try:
            return self.get(path)
        except NotFound:
            return None

    def every(self, path: str, key: str | None = None, **query: str | int) -> Iterator[Any]:
        """The items of a list, over all its pages; `key` names the list within an answer."""
        url: str | None = self._url(path, {**query, "per_page": 100})
        while url is not None:
            data, url = self._page(url)
            yield from data[key] if key else data

    def send(self, method: Method, path: str, body: Mapping[str, Any] | list[Any]) -> Any:
        """Changes something, once: what is not known to have failed is not repeated."""
        return self._json(method, self._url(path, {}), json.dumps(body).encode())

    def download(self, path: str, limit: int) -> bytes:
        """The bytes at `path`. Raises TooLarge past `limit`, having read no more than that."""
        with self._open("GET", self._url(path, {}), None) as answer:
            data: bytes = answer.read(limit + 1)
        if len(data) > limit:
            raise TooLarge
        return data

    def _url(self, path: str, query: Mapping[str, str | int]) -> str:
        below = f"{self.api}/repos/{self.repository}/{path}"
        return f"{below}?{urlencode(query)}" if query else below

    def _json(self, method: Method, url: str, body: bytes | None) -> Any:
        with self._open(method, url, body) as answer:
            data = answer.read(_ANSWER_BYTES)
        try:
            return json.loads(data) if data else None
        except ValueError:
            raise FatalError(f"GitHub's answer to {method} {_short(url)} is no JSON") from None

    def _page(self, url: str) -> tuple[Any, str | None]:
        with self._open("GET", url, None) as answer:
            data = json.loads(answer.read(_ANSWER_BYTES))
            following = _NEXT.search(answer.headers.get("Link") or "")
        return data, following[1] if following and following[1].startswith(self.api) else None

    def _open(self, method: Method, url: str, body: bytes | None) -> Any:
        request = Request(url, data=body, method=method)
        request.add_header("Accept", "application/vnd.github+json")
        request.add_header("X-GitHub-Api-Version", "2022-11-28")
        request.add_header("User-Agent", "trunkline")
        # An artifact is served from another host, which must not see the token.
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        for again in range(_TRIES - 1, -1, -1):
            try:
                return urlopen(request, timeout=_SECONDS)
            except HTTPError as error:
                if method != "GET" or error.code < 500 or not again:
                    raise _failed(method, url, error) from None
            except (URLError, TimeoutError, ConnectionError) as error:
                if method != "GET" or not again:
                    reason = getattr(error, "reason", error)
                    raise FatalError(f"GitHub is out of reach: {reason}") from None
            time.sleep(_PAUSE_SECONDS)
        raise AssertionError("the last try answers or raises")


def github_here(environment: Mapping[str, str] = os.environ) -> GitHub:
    """The repository that a workflow runs for, as its environment tells.

    Raises FatalError where GITHUB_REPOSITORY or a token is missing.
    """
    repository = environment.get("GITHUB_REPOSITORY", "")
    token = environment.get("GH_TOKEN") or environment.get("GITHUB_TOKEN") or ""
    if not _REPOSITORY.fullmatch(repository):
        raise FatalError("set GITHUB_REPOSITORY to the repository on GitHub, as owner/name")
    if not token:
        raise FatalError("set GH_TOKEN to a token that may do this (`gh auth token` prints yours)")
    api = environment.get("GITHUB_API_URL") or "https://api.github.com"
    return GitHub(api.rstrip("/"), repository, token)


def _failed(method: Method, url: str, error: HTTPError) -> FatalError:
    try:
        said = str(json.loads(error.read(_ANSWER_BYTES)).get("message", ""))
    except (ValueError, AttributeError, OSError):
        said = ""
    kind = NotFound if error.code == 404 else FatalError
    return kind(f"GitHub refused {method} {_short(url)}: {error.code} {said}".strip())


def _short(url: str) -> str:
    return url.partition("/repos/")[2] or url
