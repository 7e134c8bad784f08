"""The model of this machine's environment: an OpenAI-compatible server and the name of a model."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from trunkline_runtime.failure import FatalError
from trunkline_runtime.table.settings import TenantSettings

if TYPE_CHECKING:
    from livekit.plugins import openai

URL_VARIABLE = "TRUNKLINE_LLM_BASE_URL"
KEY_VARIABLE = "TRUNKLINE_LLM_API_KEY"
MODEL_VARIABLE = "TRUNKLINE_LLM_MODEL"
_CHECK_SECONDS = 5.0
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class ModelHere:
    """Where a model is asked, and which."""

    base_url: str
    name: str
    key: str = field(repr=False)

    @property
    def place(self) -> str:
        """Where the server is, without what may stand in its address as a secret."""
        parts = urlsplit(self.base_url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or _PORTS.get(parts.scheme, 0)}"

    async def check(self) -> None:
        """Asks the server for its models, so that one which is not there is found before a call.

        Raises FatalError for no server, a wrong key, and what is no model server. One that does
        not list its models may still be one.
        """
        import httpx

        from trunkline_runtime.tls import tls_context

        try:
            async with httpx.AsyncClient(
                timeout=_CHECK_SECONDS, trust_env=False, verify=tls_context()
            ) as client:
                answer = await client.get(
                    f"{self.base_url.rstrip('/')}/models",
                    headers={"Authorization": f"Bearer {self.key}"},
                )
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise FatalError(
                f"{URL_VARIABLE} is no address of a server, such as http://127.0.0.1:8000/v1"
            ) from None
        except httpx.HTTPError as problem:
            why = (
                "it does not answer in time"
                if isinstance(problem, httpx.TimeoutException)
                else (
                    "nothing listens there"
                    if isinstance(problem, httpx.ConnectError)
                    else type(problem).__name__
                )
            )
            raise FatalError(
                f"no model can be asked at {self.place}: {why}. Start the server, or point "
                f"{URL_VARIABLE} at one that runs"
            ) from None
        kind = answer.headers.get("content-type", "").partition(";")[0]
        if answer.status_code == 200 and kind != "application/json":
            raise FatalError(
                f"what answers at {self.place} is no model server: it sends {kind or 'no type'}. "
                f"{URL_VARIABLE} must be the part of an OpenAI-compatible address before "
                "/chat/completions; it often ends in /v1"
            )
        if answer.status_code in (401, 403) or answer.status_code >= 500:
            hint = hint_for(answer.status_code)
            if hint is not None and answer.status_code != 501:
                raise FatalError(f"the model server at {self.place} {hint}")

    def for_session(self) -> "openai.LLM":
        """The model as LiveKit asks it."""
        from trunkline_runtime.model_client import LanguageModel

        return LanguageModel(self.name, self.base_url, self.key)


def hint_for(status: int) -> str | None:
    """What a model server's HTTP status means here, and what to set; None for one that says little.

    The words go on after "the model server".
    """
    if status in (401, 403):
        return f"does not take the key (HTTP {status}): set {KEY_VARIABLE}"
    if status == 404:
        return (
            f"knows no such address or model (HTTP 404): {URL_VARIABLE} often ends in /v1, and "
            f"{MODEL_VARIABLE} must name a model that it has"
        )
    if status in (400, 422):
        return (
            f"does not accept the request (HTTP {status}): it must take chat completions with "
            "tools, streamed"
        )
    if status == 429:
        return "is asked too often, or nothing is left to spend there (HTTP 429)"
    if status >= 500:
        return f"has a problem of its own (HTTP {status}): its log says which"
    return None


def model_here(settings: TenantSettings) -> ModelHere:
    """The model of the environment; its name may be the tenant's. Raises FatalError for none."""
    base_url = os.environ.get(URL_VARIABLE)
    if not base_url:
        raise FatalError(
            f"no model is set up: {URL_VARIABLE} names an OpenAI-compatible server; "
            "a scripted scenario needs none"
        )
    voice = settings.voice.get("llm")
    own = voice.get("model") if isinstance(voice, Mapping) else voice
    name = os.environ.get(MODEL_VARIABLE) or own
    if not name:
        raise FatalError(f"{MODEL_VARIABLE} must say which model to use: the tenant names none")
    # A server on one's own machine asks for no key; the client insists on some text.
    return ModelHere(base_url, str(name), os.environ.get(KEY_VARIABLE) or "none")
