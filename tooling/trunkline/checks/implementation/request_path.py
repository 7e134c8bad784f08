"""The path of an HTTP tool: what is filled in exists, is always there and can stand in a path."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.conditions import args_names
from trunkline.model.place import Place
from trunkline.nearest import did_you_mean
from trunkline_runtime.catalogue.entry import ToolEntry

CODE = "TL304"
_FIELD = re.compile(r"\{([^{}]*)\}")


def faults_of_path(entry: ToolEntry, place: Place) -> Iterator[Finding]:
    """The faults of `run: {http: {path: …}}`."""
    path: str = entry.run.get("http", {}).get("path", "")
    where = place.at("run", "http", "path")
    known = args_names(entry)
    for field in _FIELD.findall(path):
        name = field.strip()
        if name not in known:
            message = f"`{name}` is not an argument of {entry.id}"
            help = did_you_mean(name, known) or "Write `{args.x}` for an argument `x`."
            yield error_at(CODE, where, message, help)
            continue
        steps = name.split(".")[1:]
        if not _is_always_there(entry.parameters, steps):
            message = f"`{name}` may be missing, and then there is no path to send the request to"
            help = f"List it under `required`, or send it as a `query`: {{{steps[-1]}: {name}}}."
            yield error_at(CODE, where, message, help)
        elif _type_of(entry.parameters, steps) in ("object", "array"):
            message = f"`{name}` is not one value, so it cannot be a part of a path"
            yield error_at(CODE, where, message, "Send it in `json`, or name a part of it.")
    if set("{}") & set(_FIELD.sub("", path)):
        message = "a brace of this path has no other half"
        yield error_at(CODE, where, message, "Write `{args.x}` for an argument `x`.")
    if ".." in path.split("/"):
        message = "this path climbs out of the base URL of the connection"
        yield error_at(CODE, where, message, "Write the path without `..`.")


def _is_always_there(schema: Mapping[str, Any], steps: Sequence[str]) -> bool:
    for step in steps:
        if step not in schema.get("required", ()):
            return False
        schema = schema.get("properties", {}).get(step, {})
    return True


def _type_of(schema: Mapping[str, Any], steps: Sequence[str]) -> object:
    for step in steps:
        schema = schema.get("properties", {}).get(step, {})
    return schema.get("type")
