"""A recorded call as a replay reads it: the path, the moves that were refused, the tools."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jsonschema.exceptions import best_match

from trunkline_runtime.call.moment import Moment
from trunkline_runtime.call.path import Refusal, Step
from trunkline_runtime.failure import FatalError
from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import fits
from trunkline_runtime.table.canonical import Json

_VERSION = 1
_SHOWN = 20  # ids of calls in a message
_LARGEST = 256 * 1024 * 1024  # bytes; a day of a busy worker


@dataclass(frozen=True)
class UsedTool:
    """One call of a tool. `args` are masked; `known` is what the call knew when it was asked for.

    `allowed` is the gate's word, None where it was never asked.
    """

    tool: str
    node: str
    visit: int
    at: str
    args: Mapping[str, Json]
    outcome: str
    allowed: bool | None
    reasons: tuple[str, ...]
    known: Moment


@dataclass(frozen=True)
class Recorded:
    """One record. `manifest` names the release that it ran on, `tag` is that release's.

    `flow` is the one in which it ended, `facts` maps a fact that held at the end to the tool or
    confirm node that established it.
    """

    call_id: str
    tenant: str
    flow: str | None
    direction: str
    purpose: str
    started: str
    tag: str
    manifest: str
    answered_by: str | None
    outcome: str | None
    path: tuple[Step, ...]
    refused: tuple[Refusal, ...]
    tools: tuple[UsedTool, ...]
    facts: Mapping[str, str]

    @property
    def first_flow(self) -> str | None:
        return self.path[0].flow if self.path else self.flow

    def place(self, number: int) -> tuple[str, str]:
        """Flow and node of a step (from 1); of a call that entered no node, its flow alone."""
        if not self.path:
            return self.flow or "", ""
        return self.path[number - 1].flow, self.path[number - 1].node

    def step_of_visit(self, visit: int) -> int:
        """The number of the step (from 1) on which the call stood in a visit."""
        return max(1, sum(step.visit <= visit for step in self.path))

    def step_of_refusal(self, refusal: Refusal) -> int:
        """The number of the last step (from 1) on the node of a refusal, before it was refused."""
        there = [
            number
            for number, step in enumerate(self.path, start=1)
            if step.node == refusal.node and step.at <= refusal.at
        ]
        return max(there, default=1)


def read_record(path: Path, call_id: str | None) -> Recorded:
    """The record in a file, as a replay reads it. Raises FatalError as `read_document` does."""
    return _recorded(path, read_document(path, call_id))


def read_document(path: Path, call_id: str | None) -> Mapping[str, Any]:
    """The record in a file: one JSON object, or JSON lines of which `call_id` names one.

    Lines about jobs that were refused, and about the file itself, are no calls and passed over.
    Raises FatalError for a file that cannot be read, is no record, or holds several.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FatalError(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise FatalError(f"{path} is too large to be a file of records")
    found = list(_documents(path, data))
    if call_id is not None:
        found = [document for document in found if document.get("call_id") == call_id]
        if not found:
            raise FatalError(f"{path} holds no call {call_id!r}")
    if not found:
        raise FatalError(f"{path} holds no call")
    ids = list(dict.fromkeys(str(document.get("call_id")) for document in found))
    if len(ids) > 1:
        more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
        raise FatalError(
            f"{path} holds {len(ids)} calls: name one with --call: {', '.join(ids[:_SHOWN])}{more}"
        )
    # A call that was cut off and went on is recorded again: the last record is the whole call.
    _check(path, found[-1])
    return found[-1]


def _check(path: Path, document: Mapping[str, Any]) -> None:
    """Raises FatalError for a record that a reader can't count on, with the place."""
    if fits("call-record", document):
        return
    fault = best_match(validator("call-record").iter_errors(document))
    if fault is not None:
        where = ".".join(str(part) for part in fault.absolute_path)
        at = f" at {where}" if where else ""
        raise FatalError(f"{path} holds a record that is damaged{at}: {fault.message[:200]}")


def _documents(path: Path, data: bytes) -> Iterator[Mapping[str, Any]]:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        whole = None
    lines = [whole] if whole is not None else _lines(path, data)
    for document in lines:
        if isinstance(document, Mapping) and ("refused_job" in document or "kind" in document):
            continue
        if not isinstance(document, Mapping) or "path" not in document or "pin" not in document:
            raise FatalError(
                f"{path} is no record of a call: `trunkline-runtime call … --format json` prints "
                "one, and a worker writes one for each call"
            )
        if document.get("version") != _VERSION:
            raise FatalError(
                f"{path} is a record of version {document.get('version')}, "
                f"and this program reads version {_VERSION}"
            )
        yield document


def _lines(path: Path, data: bytes) -> Iterator[Any]:
    lines = data.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            if number == len(lines) > 1:
                return  # it is being written, or its writer was killed: the call is not over yet
            raise FatalError(f"{path}, line {number}: this is no JSON") from None
    if not data.strip():
        raise FatalError(f"{path} is empty")


def _recorded(path: Path, document: Mapping[str, Any]) -> Recorded:
    try:
        return Recorded(
            call_id=document["call_id"],
            tenant=document["tenant"],
            flow=document.get("flow"),
            direction=document["direction"],
            purpose=document["purpose"] or "",
            started=document["started"],
            tag=document["pin"]["release"],
            manifest=document["pin"]["manifest"],
            answered_by=document["answered_by"],
            outcome=document["outcome"],
            path=tuple(Step.from_json(step) for step in document["path"]),
            refused=tuple(Refusal.from_json(refusal) for refusal in document["refused"]),
            tools=tuple(_tool(tool) for tool in document["tools"]),
            facts={name: fact["by"] for name, fact in document["facts"].items()},
        )
    except ValueError as problem:
        raise FatalError(f"{path} holds a record that is damaged: {problem}") from None


def _tool(document: Mapping[str, Any]) -> UsedTool:
    datetime.fromisoformat(document["at"])  # a day that no month has
    return UsedTool(
        tool=document["tool"],
        node=document["node"],
        visit=document["visit"],
        at=document["at"],
        args=document["args"],
        outcome=document["outcome"],
        allowed=document["allowed"],
        reasons=tuple(document["reasons"]),
        known=Moment.from_json(document["known"]),
    )
