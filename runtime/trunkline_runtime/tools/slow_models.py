"""The models behind subagents: an OpenAI-compatible server that the environment names."""

import os
from collections.abc import Mapping
from typing import Any

from livekit.agents import llm

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.model_client import LanguageModel
from trunkline_runtime.tools.runner import ToolContext, ToolFailed


class SlowModels:
    """Gives each subagent its model, one client per model. Close it when the call is over.

    TRUNKLINE_SUBAGENT_LLM_BASE_URL, …_API_KEY and …_MODEL say where the models are, how to sign in
    and which one to use; for each that is not set, TRUNKLINE_LLM_… is taken. An entry's own `model`
    wins over both, and the tenant's over that of TRUNKLINE_LLM_MODEL.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._models: dict[str, llm.LLM[Any]] = {}

    def __call__(self, entry: ToolEntry, context: ToolContext) -> llm.LLM[Any]:
        """The model for this entry. Raises ToolFailed if the environment names none."""
        name = entry.run["subagent"].get("model") or self._default_model(context)
        base_url = self._setting("BASE_URL")
        if not name or not base_url:
            raise ToolFailed("No slower model is set up.", nothing_done=True)
        if name not in self._models:
            # A server on one's own machine asks for no key; the client insists on some text.
            key = self._setting("API_KEY") or "none"
            self._models[name] = LanguageModel(name, base_url, key)
        return self._models[name]

    async def aclose(self) -> None:
        for model in self._models.values():
            await model.aclose()
        self._models.clear()

    def _default_model(self, context: ToolContext) -> str | None:
        tenants = context.tenant.voice.get("llm")
        if isinstance(tenants, Mapping):
            tenants = tenants.get("model")
        own = self._environment.get("TRUNKLINE_SUBAGENT_LLM_MODEL")
        return own or tenants or self._environment.get("TRUNKLINE_LLM_MODEL")

    def _setting(self, name: str) -> str | None:
        own = self._environment.get(f"TRUNKLINE_SUBAGENT_LLM_{name}")
        return own or self._environment.get(f"TRUNKLINE_LLM_{name}") or None
