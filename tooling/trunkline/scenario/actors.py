"""The two models beside the agent's in a live scenario: one plays the caller, one judges."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openai import AsyncOpenAI, OpenAIError

from trunkline.scenario.usage import Usage
from trunkline_runtime.call.history import Said
from trunkline_runtime.call.model_here import ModelHere

_CALLER = """
You play a person in a telephone call, and the other side is a company's voice agent. Stay in your
part and never help the agent beyond it. Answer with nothing but the words that you say next, one or
two short sentences. Where you do something else than speak, answer with one of these alone:
[key 9] to press that key, [silence] to say nothing for a while, [hang up] when the call is over for
you. Your part: {instructions}
""".strip()

_JUDGE = """
You judge a telephone call between a caller and a company's voice agent. Hold the transcript against
what is expected of the agent, and against nothing else. Answer with a JSON object alone:
{{"passed": true or false, "reason": "one sentence that quotes the words that decided it"}}.
Expected of the agent: {expectations}
""".strip()

_DEED = re.compile(r"\[(key (?P<key>[0-9*#])|silence|hang ?up)\]", re.IGNORECASE)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_WHO = {"caller": "Caller", "agent": "Agent", "human": "Colleague"}


class ActorFailed(Exception):
    """A model could not be asked, or did not answer as it should; the message says which."""


@dataclass(frozen=True)
class Deed:
    """What the caller does next: one of `says`, `key`, `silent`, `hangs_up`."""

    says: str = ""
    key: str = ""
    silent: bool = False
    hangs_up: bool = False


@dataclass(frozen=True)
class Verdict:
    passed: bool
    reason: str


class Actors:
    """Asks one server for both parts; `usage` counts the tokens of all requests."""

    def __init__(self, model: ModelHere) -> None:
        self._client = AsyncOpenAI(base_url=model.base_url, api_key=model.key)
        self._model = model.name
        self.usage = Usage()

    async def aclose(self) -> None:
        await self._client.close()

    async def caller(self, instructions: str, history: Sequence[Said]) -> Deed:
        """What the caller does after what has been said. Raises ActorFailed."""
        messages = [_message("system", _CALLER.format(instructions=instructions))]
        for said in history:
            role = "assistant" if said.who == "caller" else "user"
            messages.append(_message(role, said.words))
        if messages[-1]["role"] != "user":
            messages.append(_message("user", "(silence)"))
        answer = (await self._ask("caller", messages)).strip()
        deed = _DEED.search(answer)
        if deed is None:
            return Deed(says=answer) if answer else Deed(silent=True)
        if deed["key"]:
            return Deed(key=deed["key"])
        return Deed(silent=True) if "silence" in deed[0].lower() else Deed(hangs_up=True)

    async def judge(self, expectations: str, history: Sequence[Said]) -> Verdict:
        """Whether the agent did what is expected. Raises ActorFailed."""
        transcript = "\n".join(f"{_WHO[said.who]}: {said.words}" for said in history)
        messages = [
            _message("system", _JUDGE.format(expectations=expectations)),
            _message("user", transcript or "(nothing was said)"),
        ]
        answer = await self._ask("judge", messages)
        found = _OBJECT.search(answer)
        try:
            verdict: Any = json.loads(found[0] if found else answer)
            if not isinstance(verdict["passed"], bool):
                raise TypeError
            return Verdict(verdict["passed"], str(verdict.get("reason", "")))
        except (ValueError, TypeError, KeyError):
            raise ActorFailed(f"the judge gave no verdict: {answer[:200]}") from None

    async def _ask(self, part: str, messages: list[Any]) -> str:
        try:
            answer = await self._client.chat.completions.create(
                model=self._model, messages=messages
            )
        except OpenAIError as error:
            raise ActorFailed(f"the {part}'s model failed: {error}") from None
        if answer.usage is not None:
            used = Usage(answer.usage.prompt_tokens, answer.usage.completion_tokens)
            self.usage += used
        return (answer.choices[0].message.content if answer.choices else None) or ""


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
