"""A fixed value against the schema of its argument: no schema gives a crash or takes for ever."""

from time import process_time
from typing import Any

import pytest

from trunkline.checks.expressions.fit import literal_fits_schema


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/definitions/a"},
        {"$ref": "#"},
        {"$ref": "http://127.0.0.1:9/a"},
        {"allOf": [{"$ref": "#/allOf/0"}]},
        {"type": "string", "pattern": "("},
        {"type": "string", "pattern": "(?<=a+)b"},
        {"type": "string", "pattern": "(" * 3000 + "a" + ")" * 3000},
        {"anyOf": [{"type": "integer"}, {"pattern": "["}]},
    ],
)
def test_where_the_schema_is_at_fault_the_value_fits(schema: dict[str, Any]) -> None:
    assert literal_fits_schema("a", schema)


@pytest.mark.parametrize(
    ("pattern", "fits", "misfits"),
    [
        ("^[a-z]+$", "abc", "Abc"),
        ("[0-9]", "a1", "ab"),
        ("^(a+)+$", "aaa", "a" * 40 + "!"),
        ("^(a|a)*$", "", "a" * 3000 + "!"),
        ("^a*a*a*a*a*a*a*$", "a", "a" * 3000 + "!"),
    ],
)
def test_a_pattern_is_held_against_it_in_no_time(pattern: str, fits: str, misfits: str) -> None:
    began = process_time()
    schema = {"type": "string", "pattern": pattern, "maxLength": 4000}
    assert literal_fits_schema(fits, schema)
    assert not literal_fits_schema(misfits, schema)
    assert literal_fits_schema("é", schema)  # Python's letters are more than those of the engine
    assert process_time() - began < 1


def test_the_rest_of_the_schema_counts_beside_a_pattern() -> None:
    schema = {"type": "string", "pattern": "a", "maxLength": 2}
    assert literal_fits_schema("a", schema)
    assert not literal_fits_schema("aaa", schema)
    assert not literal_fits_schema(5, schema)
