"""Asks until an answer can be used: validated again, sent back with what is wrong, bounded."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from trunkline.draft.answer import UnusableError, usable
from trunkline.draft.prompt import prompt
from trunkline.draft.schema_parts import Schema
from trunkline.draft.server import Message, Reply, Server
from trunkline.failure import FatalError

MOST_ANSWERS = 3
MAX_TOKENS = 8_000
_QUOTED = 2_000  # characters of an unusable answer that are sent back


@dataclass
class Spent:
    """What has been asked so far: requests, tokens and seconds."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    unusable: list[str] = field(default_factory=list)

    def add(self, reply: Reply) -> None:
        """Counts one answer."""
        self.requests += 1
        self.prompt_tokens += reply.prompt_tokens
        self.completion_tokens += reply.completion_tokens
        self.seconds += reply.seconds


@dataclass(frozen=True)
class Asking:
    """A server, how much it may write in one answer, and what has been spent on it."""

    server: Server
    max_tokens: int = MAX_TOKENS
    spent: Spent = field(default_factory=Spent)

    def ask(self, messages: Sequence[Message], name: str, schema: Schema) -> dict[str, Any]:
        """An answer that fits the schema.

        Raises FatalError if none comes in so many attempts, or if the server cannot be asked.
        """
        conversation, limit = list(messages), self.max_tokens
        problem = ""
        for _ in range(MOST_ANSWERS):
            reply = self.server.ask(conversation, name, schema, limit)
            self.spent.add(reply)
            if reply.cut:
                # Asked again with more room; what it began is of no use to it.
                problem = f"it was cut off after {limit:,} tokens"
                self.spent.unusable.append(problem)
                limit *= 2
                continue
            try:
                return usable(reply.text, schema)
            except UnusableError as unusable:
                problem = str(unusable)
                self.spent.unusable.append(problem)
                conversation = [
                    *messages,
                    {"role": "assistant", "content": (reply.text or "")[:_QUOTED]},
                    {"role": "user", "content": prompt("invalid").filled(problem=problem)},
                ]
        raise FatalError(
            f"the model gave no usable {name} in {MOST_ANSWERS} answers; of the last: {problem}"
        )
