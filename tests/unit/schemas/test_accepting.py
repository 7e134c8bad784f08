"""The quick yes says what the full validator says, on every kind of document and every mutation."""

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.compile import compile_repository
from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import Unknown, _Compiler, accepts, fits, surely_fits

TOP = Path(__file__).parents[3]


def documents() -> list[tuple[str, Any]]:
    """A kind and a document that fits it, of many kinds."""
    compiled = compile_repository(TOP)
    found: list[tuple[str, Any]] = [("node-table", table) for table in compiled.tables.values()]
    found += [("tenant", dict(settings)) for settings in compiled.tenants.values()]
    found += [
        (path.removesuffix(".yaml"), dict(document))
        for path, document in compiled.policy.items()
        if "/" not in path
    ]
    return copy.deepcopy(found)


DOCUMENTS = documents()


def mutations(document: Any, chance: random.Random) -> Iterator[Any]:
    """The document with one place in it replaced, removed or added to, over and over."""
    while True:
        changed = copy.deepcopy(document)
        parent, key = _place(changed, chance)
        match chance.randrange(4):
            case 0:
                del parent[key]
            case 1 if isinstance(parent, dict):
                parent[chance.choice(["to", "if", "x", "kind", "*", "type"])] = parent[key]
            case 2:
                parent[key] = chance.choice(["", "9", 0, -1, 1.0, True, None, [], {}, "talk", 1e9])
            case _:
                parent[key] = [copy.deepcopy(parent[key])] * chance.choice([0, 1, 101])
        yield changed


def _place(document: Any, chance: random.Random) -> tuple[Any, Any]:
    while True:
        keys = list(document) if isinstance(document, dict) else list(range(len(document)))
        key = chance.choice(keys)
        below = document[key]
        if not isinstance(below, dict | list) or not below or chance.random() < 0.2:
            return document, key
        document = below


@pytest.mark.parametrize(
    ("kind", "document"), DOCUMENTS, ids=[f"{n}-{kind}" for n, (kind, _) in enumerate(DOCUMENTS)]
)
def test_it_says_what_the_validator_says(kind: str, document: Any) -> None:
    check = accepts(kind)
    assert check is not None
    assert check(document)
    said = set()
    some = mutations(document, random.Random(kind))
    for _ in range(60):
        changed = next(some)
        said.add(check(changed))
        assert check(changed) is validator(kind).is_valid(changed)
    assert said == {True, False}


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2) | st.sampled_from("ab9"),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner),
        max_leaves=6,
    )
)
def test_each_keyword_means_what_draft_07_says(value: Any) -> None:
    for part in KEYWORDS:
        assert _Compiler({}).compiled(part)(value) is jsonschema.Draft7Validator(part).is_valid(
            value
        ), part


KEYWORDS: list[Any] = [
    *({"type": name} for name in ("object", "array", "string", "boolean", "null", "number")),
    {"type": "integer"},
    {"type": ["integer", "null"]},
    {"enum": ["a", 1, True, None]},
    {"enum": ["a", "b"]},
    {"const": 1},
    {"const": True},
    {"required": ["a", "b"]},
    {"properties": {"a": {"type": "string"}}, "additionalProperties": False},
    {"properties": {"a": False}},
    {"additionalProperties": {"type": "integer"}},
    {"propertyNames": {"pattern": "^a"}},
    {"dependencies": {"a": ["b"]}},
    {"items": {"type": "number"}},
    {"minItems": 1, "maxItems": 2},
    {"minProperties": 1, "maxProperties": 2},
    {"minLength": 1, "maxLength": 1},
    {"pattern": "[0-9]"},
    {"minimum": 0, "maximum": 1},
    {"exclusiveMinimum": 0, "exclusiveMaximum": 2},
    {"allOf": [{"type": "number"}, {"minimum": 0}]},
    {"anyOf": [{"type": "string"}, {"minItems": 2}]},
    {"not": {"type": "string"}},
    {"if": {"type": "string"}, "then": {"pattern": "a"}, "else": {"type": "array"}},
    {"if": {"type": "string"}, "then": {"pattern": "a"}},
]


def test_an_unknown_keyword_is_left_to_the_validator() -> None:
    for part in (
        {"oneOf": []},
        {"dependencies": {"a": True}},
        {"items": [{}]},
        {"const": []},
        {"$ref": "http://elsewhere"},
    ):
        with pytest.raises(Unknown):
            _Compiler({}).compiled(part)
    # A tool's parameters are a JSON Schema of their own, which only the validator can judge.
    assert accepts("tool") is None
    assert not fits("tool", {})


def test_a_definition_may_refer_to_itself() -> None:
    whole = {
        "definitions": {"tree": {"additionalProperties": {"$ref": "#/definitions/tree"}}},
        "$ref": "#/definitions/tree",
    }
    tree = _Compiler(whole).compiled({"$ref": "#/definitions/tree", "type": "string"})
    assert tree({"a": {"b": {}}})
    assert tree(7)


@pytest.mark.parametrize(
    "kind", ["node-table", "tenant", "facts", "outcomes", "release", "policy", "channel", "spend"]
)
def test_what_a_release_is_made_of_is_known(kind: str) -> None:
    assert accepts(kind) is not None


def test_a_schema_of_somebody_else_is_judged_where_that_is_sure() -> None:
    assert surely_fits({"type": "string", "enum": ["a"]}, "a")
    assert not surely_fits({"type": "string", "enum": ["a"]}, "b")
    for beyond in ({"oneOf": [{}]}, {"pattern": "("}, {"type": "text"}, {"minLength": "a"}):
        assert not surely_fits(beyond, "a")
