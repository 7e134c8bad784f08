"""What every kind of tool looks like to the dispatcher: a runner, its context and how it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.settings import TenantSettings

FailureKind = Literal["error", "timeout", "denied"]


@dataclass(frozen=True)
class ToolContext:
    """What a runner may know of the call it works for. It holds no slot, fact or transcript.

    `idempotency_key` is the same each time one attempt is repeated, so that a back end can tell a
    repetition from a second wish. `deadline` is in seconds of the running loop's clock
    (`asyncio.get_running_loop().time()`): a runner that retries stops there. `language` is the
    BCP 47 tag of the flow.
    """

    call_id: str
    tenant: TenantSettings
    idempotency_key: str
    deadline: float
    language: str


class ToolFailed(Exception):
    """A tool that gave no usable result. `message_for_model` is said to the model as it stands.

    It must hold no secret, no address of a back end and nothing that the model may not repeat to
    the caller. `nothing_done`: it is certain that nothing happened, so that the same may be asked
    for once more; else whatever the tool does may have been done.
    """

    def __init__(
        self, message_for_model: str, kind: FailureKind = "error", *, nothing_done: bool = False
    ) -> None:
        super().__init__(message_for_model)
        self.message_for_model = message_for_model
        self.kind: FailureKind = kind
        self.nothing_done = nothing_done or kind == "denied"


def doubt(harmless: bool) -> str:
    """What to add for the model where a repetition might do a thing twice."""
    if harmless:
        return ""
    return " It may have gone through all the same, so do not try it again."


class Runner(Protocol):
    """Runs one kind of tool (`http`, `python`, `subagent`).

    `args` holds the arguments of the model and those bound by `with`, already checked against the
    entry's `parameters`. The dispatcher checks the result against the entry's `result`, keeps the
    time limit and asks the gate; a runner does none of these. Raises `ToolFailed`.
    """

    async def run(
        self, entry: ToolEntry, args: Mapping[str, Json], context: ToolContext
    ) -> Json: ...
