"""TL304: schemas that a model cannot be held to, and that llguidance, for one, refuses."""

import json

import llguidance
import pytest
import yaml

FLOW = "start: done\nnodes: {done: {kind: end, outcome: done}}\n"
ENTRY = """schema_version: 1
id: own
description: A tool.
parameters:
  type: object
  additionalProperties: false
  properties:
    x: {SCHEMA}MARK
  $defs: {{a: {{type: string}}}}
result: {{type: object, properties: {{}}}}
effects: []
run: {{http: {{method: GET, path: /run}}}}
"""
FINE = [
    "{type: string, pattern: '^[a-z]+$', minLength: 1, maxLength: 9}",
    "{type: string, format: date}",
    "{type: string, format: email}",
    "{type: [string, integer]}",
    "{enum: [a, b]}",
    "{type: array, items: {type: number, minimum: 1}, minItems: 1, maxItems: 3}",
    "{$ref: '#/$defs/a'}",
    "{anyOf: [{type: string}, {type: integer}]}",
    "{oneOf: [{type: string}, {type: integer}]}",
    "{oneOf: [{type: object, required: [k], properties: {k: {const: a}}}, "
    "{type: object, required: [k], properties: {k: {enum: [b, c]}}}]}",
]
REFUSED = [
    "{type: array, items: {type: string}, uniqueItems: true}",
    "{type: array, contains: {type: string}}",
    "{not: {type: string}}",
    "{if: {type: string}, then: {maxLength: 3}}",
    "{type: object, dependentRequired: {a: [b]}}",
    "{type: object, propertyNames: {maxLength: 3}}",
    "{type: object, unevaluatedProperties: false}",
    "{type: string, pattern: '(?=a)b'}",
    "{oneOf: [{type: string, maxLength: 3}, {type: string, minLength: 2}]}",
]
# Refused by others than llguidance, or left unenforced without a word.
IGNORED = [
    "{type: object, patternProperties: {'^a': {type: string}}, additionalProperties: false}",
    "{$ref: '#/$defs/a', maxLength: 3}",
    "{oneOf: [{type: number}, {type: integer}]}",
    "{type: string, format: 'no-such-format'}",
]


def entry(schema: str, mark: str = "") -> str:
    return ENTRY.format(SCHEMA="SCHEMA").replace("SCHEMA", schema).replace("MARK", mark)


@pytest.mark.parametrize("schema", FINE)
def test_schemas_that_are_enforced(judge, schema: str) -> None:
    judge(FLOW, {"catalog/tools/crm/own.yaml": entry(schema)})
    assert not refusal(entry(schema))


@pytest.mark.parametrize("schema", [*REFUSED, *IGNORED])
def test_schemas_that_are_not(judge, schema: str) -> None:
    judge(FLOW, {"catalog/tools/crm/own.yaml": entry(schema, "  #! TL304")})


@pytest.mark.parametrize("schema", REFUSED)
def test_the_judge_refuses_them_too(schema: str) -> None:
    assert refusal(entry(schema))


def test_schemas_inside_schemas(judge) -> None:
    deep = "{type: array, items: {anyOf: [{type: object, properties: {z: {not: {}}}}]}}"
    judge(FLOW, {"catalog/tools/crm/own.yaml": entry(deep, "  #! TL304")})


def refusal(text: str) -> str:
    """What the constrained-decoding engine says against the parameters of an entry."""
    parameters = yaml.safe_load(text.replace("  #! TL304", ""))["parameters"]
    grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(parameters))
    return str(llguidance.LLMatcher.validate_grammar(grammar) or "")
