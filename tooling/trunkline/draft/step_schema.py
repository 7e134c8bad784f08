"""The schema of one step, by its kind: targets, slots, tools and facts are closed lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from trunkline.draft.schema_parts import (
    NULL,
    Limits,
    Schema,
    closed,
    listed,
    one_of,
    or_null,
    some_of,
    text,
)
from trunkline.draft.vocabulary import Vocabulary
from trunkline_runtime.catalogue.entry import ToolEntry


@dataclass(frozen=True)
class Names:
    """What a step may name besides the tenant's vocabulary: what the flow itself declares."""

    steps: tuple[str, ...]
    slots: tuple[str, ...]
    inputs: tuple[str, ...]
    tools: tuple[ToolEntry, ...]


def step_schema(kind: str, words: Vocabulary, names: Names, limits: Limits) -> Schema:
    """What a model may answer for a step of this kind; `definitions` holds what it refers to."""
    target, sentence = one_of(names.steps), text(limits.text)
    if kind == "end":
        return closed({"say": or_null(sentence), "outcome": one_of(tuple(words.outcomes))})
    if kind == "transfer":
        return closed(
            {
                "number": one_of(words.numbers),
                "mode": one_of(["warm", "cold"]),
                "summary": some_of(names.slots, limits.data),
                "say": or_null(sentence),
                "on_failure": target,
            }
        )
    if kind == "confirm":
        return closed(
            {
                "say": sentence,
                "establishes": some_of(words.confirmable, 4),
                "on_yes": target,
                "on_no": target,
                "on_unclear": target,
            }
        )
    if kind == "route":
        branch = closed({"to": target, "if": text(limits.expression)})
        return closed({"edges": listed(branch, limits.edges), "else": target})
    return closed(
        {
            "speak": some_of(words.disclosures, 6),
            "say": or_null(sentence),
            "instructions": sentence,
            "collect": some_of(names.slots, limits.data),
            "tools": listed({"$ref": "#/$defs/tool"}, limits.tools) if names.tools else None,
            "edges": listed({"$ref": "#/$defs/edge"}, limits.edges),
        }
    )


def definitions(words: Vocabulary, names: Names, limits: Limits) -> dict[str, Schema]:
    """What step schemas refer to: an edge, and a tool as a node grants it."""
    found = {"edge": _edge(words, names, limits)}
    if names.tools:
        found["tool"] = {"anyOf": [_tool(tool, names, limits) for tool in names.tools]}
    return found


def _edge(words: Vocabulary, names: Names, limits: Limits) -> Schema:
    provable = [*words.facts, *(f"slots.{slot}" for slot in names.slots)]
    return closed(
        {
            "to": one_of(names.steps),
            "when": or_null(text(min(160, limits.text))),
            "if": or_null(text(limits.expression)),
            "requires": some_of(provable, 6),
            "clears": some_of(names.slots, limits.data),
            "correction": {"type": "boolean"},
        }
    )


def _tool(tool: ToolEntry, names: Names, limits: Limits) -> Schema:
    """The id, and what it is given; null leaves an argument to the model on the phone."""
    parameters = tool.parameters.get("properties", {})
    values = [
        *(f"slots.{slot}" for slot in names.slots),
        *(f"inputs.{name}" for name in names.inputs),
    ]
    results = _results(tool)
    settable = names.slots and results
    sets = closed({"slot": one_of(names.slots), "from": one_of(results)}) if settable else None
    return closed(
        {
            "id": {"type": "string", "const": tool.id},
            "with": closed({name: _value(schema, values) for name, schema in parameters.items()}),
            "sets": listed(sets, 4) if sets else None,
        }
    )


def _value(parameter: dict[str, Any], values: Sequence[str]) -> Schema:
    """An argument: a slot or input by name, a literal of its type, or null."""
    named = [one_of(values)] if values else []
    kind = parameter.get("type")
    literal: Schema | None = None
    if kind == "boolean":
        literal = {"type": "boolean"}
    elif kind in ("integer", "number"):
        literal = {"type": kind}
    elif kind == "string" and "enum" in parameter:
        literal = one_of([f"'{each}'" for each in parameter["enum"]])
    elif kind == "string":
        literal = {"type": "string", "pattern": "^'[A-Za-z0-9_ -]{1,40}'$"}
    return {"anyOf": [*named, *([literal] if literal else []), NULL]}


def _results(tool: ToolEntry) -> list[str]:
    properties = tool.result.get("properties", {})
    scalar = ("string", "integer", "number", "boolean")
    return [f"result.{name}" for name, each in properties.items() if each.get("type") in scalar]
