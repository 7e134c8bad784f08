"""What TL304 lets pass the constrained-decoding engine takes, for thousands of schemas."""

import json
import os
from typing import Any

import llguidance
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.checks.implementation.decodable import faults_of_schema
from trunkline.checks.implementation.pattern import refused
from trunkline.model.place import Place
from trunkline.source.document import Document

EXAMPLES = int(os.environ.get("TRUNKLINE_SOAK_EXAMPLES", "200"))
NOWHERE = Place(Document("x.yaml", "tool", {}, (0, 0, 0, 0), ""))


def engine_refuses(schema: Any) -> str:
    """What llguidance says against a schema; empty if it takes it."""
    try:
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
    except ValueError as problem:
        return str(problem)
    return str(llguidance.LLMatcher.validate_grammar(grammar) or "")


def faults(schema: Any) -> list[str]:
    return [finding.message for finding in faults_of_schema(schema, NOWHERE)]


def holding(inner: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"x": inner},
        "required": ["x"],
        "additionalProperties": False,
    }


PATTERNS = st.lists(
    st.sampled_from(
        [
            *("a", "[a-z]", "[^0-9]+", "\\d{3}", "\\w*", "(?:ab|cd)", "(x|y)?", "\\+", "\\.", " "),
            *("a{2,5}", "(?P<n>a)", ".", "\\s", "[A-Z0-9-]", "\\-", "[\\]\\[]", "é", "[.]", "\\/"),
            # What one of the two, or both, refuse.
            *("(?=a)", "(?!a)", "(?<=a)", "\\b", "\\1", "(?i)a", "$", "^", "a{,3}", "a++", "[[a]"),
            *("[a&&b]", "\\Z", "(?>a)", "[]a]", "\\A", "|", "(", "a**", "\\u00e9", "\\x41"),
        ]
    ),
    max_size=5,
).map("".join)


@settings(max_examples=EXAMPLES, deadline=None)
@given(pattern=PATTERNS, ends=st.sampled_from([("", ""), ("^", "$"), ("^(?:", ")$")]))
def test_a_pattern_that_passes_is_taken(pattern: str, ends: tuple[str, str]) -> None:
    whole = ends[0] + pattern + ends[1]
    if refused(whole) is None:
        assert engine_refuses(holding({"type": "string", "pattern": whole})) == "", whole


LEAVES = st.one_of(
    st.builds(
        lambda least, more: {"type": "string", "minLength": least, "maxLength": least + more},
        st.integers(0, 5),
        st.integers(-2, 5),
    ),
    st.builds(
        lambda kind, low, high: {"type": kind, "minimum": low, "maximum": high},
        st.sampled_from(["integer", "number"]),
        st.integers(-5, 5),
        st.integers(-5, 9),
    ),
    st.sampled_from(
        [
            {"type": "boolean"},
            {"type": ["string", "null"]},
            {"enum": ["a", 1, None]},
            {"enum": []},
            {"const": "x"},
            {"type": "string", "format": "date"},
            {"type": "string", "format": "email"},
            {"type": "string", "format": "phone"},
            {"type": "string", "format": "date-time"},
            {"type": "number", "multipleOf": 0.01},
            {"type": "number", "exclusiveMinimum": 0, "description": "More than nothing."},
            {"$ref": "#/$defs/word"},
            {"$ref": "#/$defs/none"},
            {"$ref": "https://elsewhere.example/schema"},
            {"$ref": "#/$defs/word", "maxLength": 2},
            {"not": {"type": "string"}},
            {"type": "string", "x-enum-from": "doctors"},
            {"type": "string", "foo": 1},
            True,
            False,
        ]
    ),
)


def _deeper(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.sampled_from(["a", "b", "c"])
    return st.one_of(
        st.builds(
            lambda items, least, more, unique: {
                "type": "array",
                "items": items,
                "minItems": least,
                "maxItems": least + more,
                **unique,
            },
            inner,
            st.integers(0, 2),
            st.integers(-1, 2),
            st.sampled_from([{}, {}, {}, {"uniqueItems": True}, {"contains": {}}]),
        ),
        st.builds(
            lambda properties, required, more: {
                "type": "object",
                "properties": properties,
                "required": required,
                **more,
            },
            st.dictionaries(names, inner, max_size=3),
            st.lists(names, unique=True, max_size=2),
            st.sampled_from(
                [
                    {"additionalProperties": False},
                    {"additionalProperties": False},
                    {"minProperties": 1},
                    {"propertyNames": {"maxLength": 1}},
                    {"additionalProperties": {"type": "string"}},
                    {"dependentRequired": {"a": ["b"]}},
                    {"patternProperties": {"^a": {"type": "string"}}},
                ]
            ),
        ),
        st.builds(lambda some: {"anyOf": some}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda some: {"oneOf": some}, st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda some: {"prefixItems": some, "type": "array"}, st.lists(inner, max_size=2)),
    )


@settings(max_examples=EXAMPLES, deadline=None)
@given(inner=st.recursive(LEAVES, _deeper, max_leaves=6))
def test_a_schema_that_passes_is_taken(inner: Any) -> None:
    schema = {**holding(inner), "$defs": {"word": {"type": "string", "maxLength": 20}}}
    if not faults(schema):
        assert engine_refuses(schema) == ""


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": [{"type": "string"}]},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"type": "object", "minProperties": 1},
        {"allOf": [{"type": "string"}, {"minLength": 2}]},
        {"type": "string", "nullable": True},
        {"type": "string", "format": "uuid"},
        {"type": "string", "maxlength": 3},
    ],
)
def test_what_one_engine_takes_and_another_ignores_is_told(schema: Any) -> None:
    assert engine_refuses(holding(schema)) == ""
    assert len(faults(holding(schema))) == 1
