"""The arguments of a tool: what the model sees and may choose, and what is bound for it."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema

from trunkline_runtime.call.conditions import Conditions
from trunkline_runtime.call.listed import listed
from trunkline_runtime.catalogue.entry import ENUM_FROM, ToolEntry
from trunkline_runtime.expression import EvaluationError, Unset
from trunkline_runtime.table.canonical import Json, canonical_bytes, digest
from trunkline_runtime.table.parts import ToolUse

# A list that is longer is no set of choices; a model's prompt would hold nothing else.
MOST_VALUES = 200


class Unusable(Exception):
    """Arguments that a tool cannot run with. `words` tell the model what to do about it."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def unfilled(entry: ToolEntry, results: Mapping[str, Json]) -> Mapping[str, str]:
    """The arguments whose values another tool's result must list and does not: name → source."""
    return {
        name: source
        for name, source in entry.enum_sources.items()
        if not 0 < len(listed(results, source)) <= MOST_VALUES
    }


def filled_parameters(entry: ToolEntry, results: Mapping[str, Json]) -> dict[str, Any]:
    """The entry's parameters with an `enum` for each argument whose values come from a tool.

    `results` holds the last result of each tool; an argument that is `unfilled` takes nothing.
    """
    parameters = dict(entry.parameters)
    properties = dict(parameters.get("properties", {}))
    for name, source in entry.enum_sources.items():
        plain = {key: value for key, value in properties[name].items() if key != ENUM_FROM}
        properties[name] = {**plain, "enum": list(listed(results, source))}
    if properties:
        parameters["properties"] = properties
    return parameters


def visible_parameters(
    entry: ToolEntry, use: ToolUse, results: Mapping[str, Json]
) -> dict[str, Any]:
    """The schema that the model sees: the entry's parameters without those bound by `with`."""
    parameters = filled_parameters(entry, results)
    properties = parameters.get("properties", {})
    parameters["properties"] = {
        name: schema for name, schema in properties.items() if name not in use.bind
    }
    parameters["required"] = [
        name for name in parameters.get("required", ()) if name not in use.bind
    ]
    # A property that the schema does not name would slip past every check of its value.
    parameters.setdefault("additionalProperties", False)
    if not parameters["required"]:
        del parameters["required"]
    return parameters


def assembled(
    entry: ToolEntry,
    use: ToolUse,
    chosen: Mapping[str, Json],
    conditions: Conditions,
    values: Mapping[str, Json],
    results: Mapping[str, Json],
    *,
    on_a_node: bool = True,
) -> dict[str, Json]:
    """All arguments: the model's, checked against what it was shown, and the bound ones.

    Raises Unusable: for a value outside its schema, and for a bound value that is not known yet.
    An input that was not given is left out where it may be. A slot that is not set is so only once
    the call is over: `on_a_node` it was proven to be set, and a call of the same batch has just
    begun to fetch it anew.
    """
    for name in unfilled(entry, results):
        raise Unusable(f"Not possible: the values of {name} are not known.")
    _fits(visible_parameters(entry, use, results), chosen)
    arguments = dict(chosen)
    for name, bound in use.bind.items():
        if not isinstance(bound, str):
            arguments[name] = bound
            continue
        try:
            arguments[name] = conditions.of(bound).value(values)
        except Unset as unset:
            fetched_anew = on_a_node and unset.name.startswith("slots.")
            if fetched_anew or name in entry.parameters.get("required", ()):
                known = unset.name.removeprefix("slots.")
                raise Unusable(f"Not possible yet: {known} is not known.") from None
        except EvaluationError:
            raise Unusable(f"Not possible: {name} cannot be worked out.") from None
    _fits(filled_parameters(entry, results), arguments)
    return arguments


def _fits(schema: Mapping[str, Any], arguments: Mapping[str, Json]) -> None:
    try:
        canonical_bytes(dict(arguments))
    except (ValueError, RecursionError):
        # Python reads what JSON has no spelling for, and no bound of a schema holds it.
        raise Unusable(
            "The arguments do not fit: a number that is none or beyond all bounds, or half a "
            "character."
        ) from None
    validator = _validator(canonical_bytes(schema))
    problems = [_said(error) for error in validator.iter_errors(dict(arguments))]
    if problems:
        raise Unusable(f"The arguments do not fit: {'; '.join(sorted(problems)[:5])}.")


def _said(error: jsonschema.ValidationError) -> str:
    where = ".".join(str(part) for part in error.absolute_path)
    return f"{where}: {error.message[:200]}" if where else error.message[:200]


@lru_cache(maxsize=512)
def _validator(schema: bytes) -> jsonschema.Draft7Validator:
    return jsonschema.Draft7Validator(json.loads(schema))


def bound_slots(use: ToolUse, conditions: Conditions) -> frozenset[str]:
    """The slots that a use binds into a call: what its result rests on."""
    found: set[str] = set()
    for bound in use.bind.values():
        if isinstance(bound, str):
            found |= conditions.of(bound).slots
    return frozenset(found)


def attempt_key(tenant: str, call_id: str, tool: str, args: Mapping[str, Json], done: int) -> str:
    """The stable key of one attempt: the back end and the spend ledger know it by this key.

    A wish that is repeated because its outcome is not known (a time-out, a lost connection) has the
    same key, on whatever node, so that nothing is charged twice. `done` counts the same wish's
    calls that came to an end: after one of those the next is a new wish. Two tenants may give
    their calls the same id.
    """
    wish: Json = {
        "tenant": tenant,
        "call": call_id,
        "tool": tool,
        "args": dict(args),
        "done": done,
    }
    return digest(canonical_bytes(wish)).removeprefix("sha256:")[:32]


def lacks_argument(
    entry: ToolEntry, use: ToolUse, conditions: Conditions, values: Mapping[str, Json]
) -> bool:
    """Whether an argument that the tool requires has no value now (nobody is there to choose)."""
    for name in entry.parameters.get("required", ()):
        bound = use.bind.get(name)
        if bound is None:
            return True
        if isinstance(bound, str) and any(
            values.get(read) is None for read in conditions.of(bound).names
        ):
            return True
    return False
