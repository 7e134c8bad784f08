"""The catalogue that ships: every entry reads, type-checks and can be held to its schemas."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import llguidance
import pytest
import yaml

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import compile_expression, schema_names
from trunkline_runtime.schema import validator

ROOT = Path(__file__).parents[3]
CATALOG = ROOT / "catalog"
FILES = sorted((CATALOG / "tools").glob("*/*.yaml"))

# What both constrained-decoding engines enforce.
ENFORCED = {
    *("type", "properties", "required", "additionalProperties", "items", "description"),
    *("enum", "const", "pattern", "minLength", "maxLength", "minItems", "maxItems"),
    *("minimum", "maximum"),
}

EXPECTED = {
    "crm": {"lookup_crm", "update_contact"},
    "billing": {"get_invoice", "take_payment"},
    "messaging": {"send_sms", "send_payment_link"},
    "calendar": {"list_openings", "book_appointment"},
    "knowledge": {"search_knowledge", "analyze_question"},
}


def entry_of(path: Path) -> ToolEntry:
    return ToolEntry.from_document(path.parent.name, yaml.safe_load(path.read_text()))


def test_there_are_ten_tools_of_five_systems() -> None:
    found: dict[str, set[str]] = {}
    for path in FILES:
        found.setdefault(path.parent.name, set()).add(entry_of(path).id)
        assert entry_of(path).id == path.stem
    assert found == EXPECTED


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_entry_fits_its_schema(path: Path) -> None:
    errors = [e.message for e in validator("tool").iter_errors(yaml.safe_load(path.read_text()))]
    assert errors == []


@pytest.mark.parametrize("kind", ["facts", "outcomes"])
def test_facts_and_outcomes_fit_their_schemas(kind: str) -> None:
    document = yaml.safe_load((CATALOG / f"{kind}.yaml").read_text())
    assert [error.message for error in validator(kind).iter_errors(document)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_its_expressions_type_check(path: Path) -> None:
    entry = entry_of(path)
    facts = yaml.safe_load((CATALOG / "facts.yaml").read_text())["facts"]
    args = dict(schema_names("args", entry.parameters))
    both = {**args, **dict(schema_names("result", entry.result))}
    for fact, condition in entry.establishes.items():
        assert compile_expression(condition, both).type_name == "BOOL"
        assert fact in facts
    assert entry.revokes <= set(facts)
    assert set(entry.spoken) <= set(entry.parameters["properties"])
    if entry.subject is not None:
        assert compile_expression(entry.subject, both).type_name == "STRING"
    http = entry.run.get("http", {})
    for value in [*http.get("query", {}).values(), *http.get("json", {}).values()]:
        compile_expression(value, args)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_constrained_decoder_holds_a_model_to_its_schemas(path: Path) -> None:
    entry = entry_of(path)
    for schema in (entry.parameters, entry.result):
        jsonschema.Draft7Validator.check_schema(schema)
        assert _keywords(schema) <= ENFORCED
        grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(schema))
        assert llguidance.LLMatcher.validate_grammar(grammar) == ""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_what_may_run_twice_is_tried_twice(path: Path) -> None:
    entry = entry_of(path)
    assert entry.retries == 0 or entry.idempotent
    assert not (entry.effects & {"payment", "contact"} and entry.idempotent)


def _keywords(schema: Any) -> set[str]:
    """The keywords in a schema, without the names of its properties."""
    if isinstance(schema, list):
        return set().union(*(_keywords(item) for item in schema), set())
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for keyword, value in schema.items():
        inner = value.values() if keyword == "properties" else [value]
        for part in inner:
            found |= _keywords(part)
    return found
