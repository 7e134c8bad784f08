"""The HTTP request of a tool: the entry's `run.http`, filled in with the arguments of one call.

In `path`, `{args.x}` stands for an argument, escaped as one segment. In `query`, `headers` and
`json`, text is an expression (CEL) over `args`; numbers, true and false are taken as they are. What
reads an argument that was not given is left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    EvaluationError,
    Expression,
    ExpressionError,
    Unset,
    compile_expression,
    schema_names,
)
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import ToolFailed

_IN_PATH = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class ToolRequest:
    """What is sent. `path` is escaped and begins with `/`; `body` is JSON, None without one."""

    method: str
    path: str
    query: list[tuple[str, str | int | float | bool | None]]
    headers: Mapping[str, str]
    body: bytes | None


class _Missing:
    """Stands for a value whose argument was not given."""


_MISSING = _Missing()


def request_of(entry: ToolEntry, args: Mapping[str, Json]) -> ToolRequest:
    """Fills the entry's request in. Raises ToolFailed if an argument cannot stand where it must."""
    http = entry.run["http"]
    filler = _Filler(entry, args)
    return ToolRequest(
        method=http["method"],
        path=_IN_PATH.sub(filler.segment, http["path"]),
        query=[*filler.texts(http.get("query", {}))],
        headers=filler.headers(http.get("headers", {})),
        body=filler.body(http["json"]) if "json" in http else None,
    )


@lru_cache(maxsize=1024)
def _expression(entry: bytes, text: str) -> Expression:
    """Compiled once per process for an entry (its canonical bytes), not once per call."""
    return compile_expression(text, dict(schema_names("args", json.loads(entry)["parameters"])))


class _Filler:
    """The arguments of one call, ready to be put into the parts of a request."""

    def __init__(self, entry: ToolEntry, args: Mapping[str, Json]) -> None:
        self._entry = entry
        self._values = {
            name: _at(args, name.split(".")[1:])
            for name, _ in schema_names("args", entry.parameters)
        }

    def segment(self, found: re.Match[str]) -> str:
        """An argument as one escaped segment of the path; never one that climbs out of it."""
        value = self._value(found[1])
        if isinstance(value, _Missing):
            words = f"{found[1].removeprefix('args.')} is missing."
            raise ToolFailed(words, nothing_done=True)
        text = _text(value)
        if text in ("", ".", ".."):
            words = f"{found[1].removeprefix('args.')} cannot be {text!r}."
            raise ToolFailed(words, nothing_done=True)
        return quote(text, safe="")

    def texts(self, wanted: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Names and texts; a list gives its name several times."""
        for name, expression in wanted.items():
            value = self._value(expression)
            if not isinstance(value, _Missing):
                yield from ((name, _text(item)) for item in _items(value))

    def headers(self, wanted: Mapping[str, Any]) -> dict[str, str]:
        filled = dict(self.texts(wanted))
        if not all(value.isascii() and value.isprintable() for value in filled.values()):
            raise _unfit()
        return filled

    def body(self, wanted: Any) -> bytes:
        """The JSON of the body, with the shape of the entry's `json`."""
        try:
            return json.dumps(self._body(wanted), allow_nan=False).encode()
        except ValueError:
            raise _unfit() from None

    def _body(self, wanted: Any) -> Json | _Missing:
        if isinstance(wanted, Mapping):
            filled = {name: self._body(inner) for name, inner in wanted.items()}
            return {k: v for k, v in filled.items() if not isinstance(v, _Missing)}
        if isinstance(wanted, list):
            items = [self._body(inner) for inner in wanted]
            return [item for item in items if not isinstance(item, _Missing)]
        return self._value(wanted)

    def _value(self, wanted: Any) -> Json | _Missing:
        if not isinstance(wanted, str):
            literal: Json = wanted
            return literal
        try:
            return _expression(self._entry.canonical, wanted).value(self._values)
        except Unset:
            return _MISSING
        except (ExpressionError, EvaluationError):
            # The compiler refuses what does not type-check; a release that holds it all the same
            # must not send half a request.
            raise _unfit() from None


def _unfit() -> ToolFailed:
    return ToolFailed("The request could not be put together.", nothing_done=True)


def _at(args: Mapping[str, Json], keys: Sequence[str]) -> Json:
    value: Json = args
    for key in keys:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def _items(value: Json) -> Sequence[Json]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else [value]


def _text(value: Json) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
