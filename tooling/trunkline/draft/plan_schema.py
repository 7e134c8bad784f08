"""What a model answers first: purpose, data and the names of the steps; and what is missing."""

from trunkline.draft.schema_parts import (
    NAME,
    TYPES,
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

_DESCRIPTION = 200  # characters of a sentence about one thing


def plan_schema(words: Vocabulary, limits: Limits) -> Schema:
    """The schema of a plan for one tenant: tools, purposes and languages are closed lists.

    Tools are named, never described: there is no property for a signature, a description or an
    implementation. What no tool does is a gap, in words.
    """
    sentence = text(min(_DESCRIPTION, limits.text))
    kinds = ["talk", "end", "route"]
    kinds += ["confirm"] if words.confirmable else []
    kinds += ["transfer"] if words.numbers else []
    data = {"name": NAME, "type": one_of(TYPES), "description": sentence}
    return closed(
        {
            "description": sentence,
            "purpose": one_of(tuple(words.purposes)) if words.purposes else None,
            "direction": None if direction_is_given(words) else one_of(["inbound", "outbound"]),
            "language": one_of(words.languages),
            "inputs": listed(closed(data), limits.data),
            "slots": listed(_slot(words, limits, sentence), limits.data),
            "tools": some_of([tool.id for tool in words.tools], limits.tools),
            "gaps": listed(closed({"needs": sentence, "why": sentence}), limits.gaps),
            "steps": listed(
                closed({"name": NAME, "kind": one_of(kinds), "purpose": sentence}),
                limits.steps,
                least=2,
            ),
        }
    )


def direction_is_given(words: Vocabulary) -> bool:
    """True if every purpose says who calls whom: then the model is not asked."""
    return bool(words.purposes) and all("direction" in each for each in words.purposes.values())


def _slot(words: Vocabulary, limits: Limits, sentence: Schema) -> Schema:
    sources = [name for tool in words.tools for name in _lists_of(tool)]
    return closed(
        {
            "name": NAME,
            "type": one_of([*TYPES, "choice"]),
            "description": sentence,
            "ask": or_null(sentence),
            "pii": {"type": "boolean"},
            "optional": {"type": "boolean"},
            "choices": listed(text(60), 12),
            "choices_from": or_null(one_of(sources)) if sources else None,
        }
    )


def _lists_of(tool: ToolEntry) -> list[str]:
    """`<tool>.<list in its result>`: what a caller may be offered to choose from."""
    properties = tool.result.get("properties", {})
    return [
        f"{tool.id}.{name}"
        for name, schema in properties.items()
        if schema.get("type") == "array" and schema.get("items", {}).get("type") == "string"
    ]
