"""The model of this machine's environment: an OpenAI-compatible server and the name of a model."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from trunkline_runtime.failure import FatalError
from trunkline_runtime.table.settings import TenantSettings

if TYPE_CHECKING:
    from livekit.plugins import openai

URL_VARIABLE = "TRUNKLINE_LLM_BASE_URL"
KEY_VARIABLE = "TRUNKLINE_LLM_API_KEY"
MODEL_VARIABLE = "TRUNKLINE_LLM_MODEL"


@dataclass(frozen=True)
class ModelHere:
    """Where a model is asked, and which."""

    base_url: str
    name: str
    key: str = field(repr=False)

    def for_session(self) -> "openai.LLM":
        """The model as LiveKit asks it."""
        from livekit.plugins import openai

        return openai.LLM(
            model=self.name, base_url=self.base_url, api_key=self.key, _strict_tool_schema=False
        )


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
