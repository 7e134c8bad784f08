"""The schemas themselves: valid draft-07, plain to read errors of, and true of what is shipped."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from trunkline.source import read_repository
from trunkline.source.layout import KINDS
from trunkline_runtime.schema import schema

_TOP = Path(__file__).parents[3]
_FILES = sorted((_TOP / "schemas").glob("*.schema.json"))
_NOT_FILES_OF_A_REPOSITORY = {
    "node-table",
    "release",
    "policy",
    "channel",
    "job",
    "call-record",
}


def _objects(part: object) -> list[dict[str, object]]:
    inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    found = [each for child in inner for each in _objects(child)]
    return [part, *found] if isinstance(part, dict) else found


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_every_schema_is_valid_draft_07_without_one_of(file: Path) -> None:
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert written["title"]
    assert written["description"]
    Draft7Validator.check_schema(written)
    assert [part for part in _objects(written) if "oneOf" in part] == []


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_every_reference_leads_somewhere_and_every_definition_is_used(file: Path) -> None:
    written = json.loads(file.read_text(encoding="utf-8"))
    used = {part["$ref"] for part in _objects(written) if isinstance(part.get("$ref"), str)}
    local = {str(ref).removeprefix("#/definitions/") for ref in used if str(ref).startswith("#")}
    assert local == set(written.get("definitions", {}))


@pytest.mark.parametrize("file", _FILES, ids=lambda file: file.name)
def test_every_mapping_with_known_keys_refuses_the_others(file: Path) -> None:
    written = json.loads(file.read_text(encoding="utf-8"))
    judging = [
        part
        for part in _objects(written)
        if part.get("type") == "object" and "properties" in part and "required" in part
    ]
    # Dispatchers judge one key and hand over; what they hand over to refuses unknown keys. A
    # schema inside a schema (`parameters`, `result`) belongs to the tool's author.
    handing_over = [part for part in judging if "if" in part and "additionalProperties" not in part]
    open_ones = [
        part
        for part in judging
        if "additionalProperties" not in part and part not in handing_over
        if part.get("properties") != {"type": {"const": "object"}}
    ]
    assert open_ones == []


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    kinds = {file.name.removesuffix(".schema.json") for file in _FILES}
    assert kinds == set(KINDS) | _NOT_FILES_OF_A_REPOSITORY
    assert all(schema(kind) for kind in kinds)


@pytest.mark.parametrize("repository", [_TOP, _TOP / "tests/examples/cases/base"])
def test_every_shipped_document_fits_its_schema(repository: Path) -> None:
    sources = read_repository(repository)
    assert sources.findings == ()
    assert sources.broken == ()
    assert sources.documents
