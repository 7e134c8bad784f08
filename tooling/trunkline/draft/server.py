"""A model behind any OpenAI-compatible server: one question, one answer, bounded retries."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from trunkline.draft.retrying import Attempts, wait_of
from trunkline.draft.schema_parts import Schema
from trunkline.failure import FatalError
from trunkline.masking import veiled

if TYPE_CHECKING:
    import openai

MODEL = "gpt-oss-120b"
Message = Mapping[str, str]


class Reply(NamedTuple):
    """What a model said, and what it took; `cut` is true if the server cut it off by length."""

    text: str | None
    cut: bool
    prompt_tokens: int
    completion_tokens: int
    seconds: float


class Server(Protocol):
    """Whatever answers: a real server, or in tests a list of answers."""

    def ask(self, messages: Sequence[Message], name: str, schema: Schema, max_tokens: int) -> Reply:
        """The answer to the messages. Raises FatalError if there is none to be had."""


@dataclass(frozen=True)
class Address:
    """Where the server is, how to sign in, which model. The key is in no text of this object."""

    base_url: str
    key: str = field(repr=False)
    model: str = MODEL
    timeout_seconds: float = 300.0

    @property
    def place(self) -> str:
        """The address as it may be shown: without user, password and query."""
        parts = urlsplit(self.base_url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def address_here(model: str | None = None, environment: Mapping[str, str] = os.environ) -> Address:
    """The server that the environment names. Raises FatalError if it names none."""
    url = environment.get("TRUNKLINE_LLM_BASE_URL", "").strip()
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise FatalError(
            "no model to ask: set TRUNKLINE_LLM_BASE_URL to an OpenAI-compatible server, such as "
            "http://localhost:8000/v1 (and TRUNKLINE_LLM_API_KEY, if it asks for a key)"
        )
    chosen = model or environment.get("TRUNKLINE_LLM_MODEL") or MODEL
    # The package refuses to start without a key; a server of one's own needs none.
    return Address(url, environment.get("TRUNKLINE_LLM_API_KEY") or "none", chosen)


class OpenAiServer:
    """A server, asked with the `openai` package, which is loaded when the first question is put."""

    def __init__(self, address: Address, sleep: Callable[[float], None] = time.sleep) -> None:
        self.address, self._sleep = address, sleep
        self._client: openai.OpenAI | None = None

    def ask(self, messages: Sequence[Message], name: str, schema: Schema, max_tokens: int) -> Reply:
        """The answer. Raises FatalError after a bounded number of attempts."""
        request: dict[str, Any] = {
            "model": self.address.model,
            "messages": list(messages),
            "max_tokens": max_tokens,
            "temperature": 0,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": name, "strict": True, "schema": schema},
            },
        }
        attempts = Attempts()
        while True:
            started = time.monotonic()
            try:
                completion = self._opened().chat.completions.create(**request)
                return self._reply(completion, time.monotonic() - started)
            except Exception as problem:
                wait = wait_of(problem, attempts)
                if wait is None:
                    raise self._failure(problem, attempts) from None
                self._sleep(wait)

    def _opened(self) -> "openai.OpenAI":
        import openai

        if self._client is None:
            self._client = openai.OpenAI(
                base_url=self.address.base_url,
                api_key=self.address.key,
                timeout=self.address.timeout_seconds,
                max_retries=0,
            )
        return self._client

    def _reply(self, completion: Any, seconds: float) -> Reply:
        """The parts that matter; the package checks none of them."""
        try:
            choice, usage = completion.choices[0], completion.usage
            return Reply(
                choice.message.content,
                choice.finish_reason == "length",
                usage.prompt_tokens if usage else 0,
                usage.completion_tokens if usage else 0,
                seconds,
            )
        except (AttributeError, IndexError, TypeError):
            raise self._no_such_server() from None

    def _no_such_server(self) -> FatalError:
        return FatalError(
            f"{self.address.place} answers, but not like an OpenAI-compatible server: is the "
            "path right? It usually ends in /v1"
        )

    def _failure(self, problem: Exception, attempts: Attempts) -> Exception:
        import openai

        place, tries = self.address.place, f"{attempts.made} attempts"
        if isinstance(problem, openai.APITimeoutError):
            return FatalError(f"{place} did not answer in time ({tries})")
        if isinstance(problem, openai.APIConnectionError):
            return FatalError(f"no server answers at {place} ({tries}): is it running?")
        if isinstance(problem, openai.RateLimitError):
            return FatalError(f"{place} answers too many requests for now ({tries}): try later")
        if isinstance(problem, openai.AuthenticationError | openai.PermissionDeniedError):
            return FatalError(f"{place} refuses the key: look at TRUNKLINE_LLM_API_KEY")
        if isinstance(problem, openai.NotFoundError):
            return FatalError(
                f"{place} knows no model {self.address.model!r}, or that path is not its own: "
                "look at TRUNKLINE_LLM_BASE_URL and TRUNKLINE_LLM_MODEL"
            )
        if isinstance(problem, openai.APIStatusError):
            told = self._told(problem)
            return FatalError(f"{place} refuses the request ({problem.status_code}): {told}")
        if isinstance(problem, openai.OpenAIError):
            return FatalError(f"{place} cannot be asked: {self._told(problem)}")
        if isinstance(problem, ValueError):  # a body that is no JSON
            return self._no_such_server()
        return problem

    def _told(self, problem: Exception) -> str:
        """What the server said, on one line, without the key that it may have repeated."""
        words = " ".join(str(problem).split()).replace(self.address.key, "[the key]")
        return veiled("".join(each for each in words if each.isprintable()))[:300]
