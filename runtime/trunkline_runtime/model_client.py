"""How the OpenAI-compatible servers of the operator are reached: one TLS context for all of them.

LiveKit's plugins make an HTTP client each, and each client reads the authorities anew; these get
theirs from here, as patient as the plugins' own.
"""

from typing import Any

import openai as openai_api
from livekit.plugins import openai

from trunkline_runtime.tls import tls_context

# A connection may take this long, and each piece of an answer.
_SECONDS = openai_api.Timeout(5.0, connect=15.0)


def model_client(base_url: str, key: str) -> openai_api.AsyncClient:
    """A client of one server. It is LiveKit that tries again, so it does not."""
    over = openai_api.DefaultAsyncHttpxClient(verify=tls_context(), timeout=_SECONDS)
    return openai_api.AsyncClient(api_key=key, base_url=base_url, max_retries=0, http_client=over)


class LanguageModel(openai.LLM):
    """A language model of such a server. Close it after use."""

    def __init__(self, name: str, base_url: str, key: str, **options: Any) -> None:
        self._own = model_client(base_url, key)
        super().__init__(model=name, client=self._own, _strict_tool_schema=False, **options)

    async def aclose(self) -> None:
        await super().aclose()
        await self._own.close()
