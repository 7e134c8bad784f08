"""What a model answers second: every step of its plan, and what holds for the whole call."""

from collections.abc import Mapping
from typing import Any

from trunkline.draft.schema_parts import Limits, Schema, closed, listed, one_of, or_null, text
from trunkline.draft.step_schema import Names, definitions, step_schema
from trunkline.draft.vocabulary import Vocabulary

_KEYS = [*"0123456789", "*", "#"]


def steps_schema(plan: Mapping[str, Any], words: Vocabulary, limits: Limits) -> Schema:
    """The schema of the steps: a property for each that the plan names, so none can be lost.

    Targets are an enum of the steps that were named before.
    """
    names = names_of(plan, words)
    kinds = kinds_of(plan)
    target = one_of(names.steps)
    edge = {"$ref": "#/$defs/edge"}
    schema = closed(
        {
            "start": target,
            "steps": closed(
                {name: step_schema(kind, words, names, limits) for name, kind in kinds.items()}
            ),
            "anywhere": listed(edge, 4),
            "keys": listed(closed({"key": one_of(_KEYS), "to": target}), 4),
            "machine": or_null(target),
            "silence": closed({"say": or_null(text(limits.text)), "to": target}),
            "limits": closed({"to": target}),
            "error": or_null(target),
            "after_call": listed({"$ref": "#/$defs/tool"}, 4) if names.tools else None,
        }
    )
    return {**schema, "$defs": definitions(words, names, limits)}


def kinds_of(plan: Mapping[str, Any]) -> dict[str, str]:
    """Step → its kind. Of two steps with one name the first counts."""
    kinds: dict[str, str] = {}
    for step in plan["steps"]:
        kinds.setdefault(step["name"], step["kind"])
    return kinds


def names_of(plan: Mapping[str, Any], words: Vocabulary) -> Names:
    """What the plan declares."""
    return Names(
        steps=tuple(kinds_of(plan)),
        slots=tuple(dict.fromkeys(slot["name"] for slot in plan["slots"])),
        inputs=tuple(dict.fromkeys(each["name"] for each in plan["inputs"])),
        tools=words.entries(plan.get("tools", ())),
    )
