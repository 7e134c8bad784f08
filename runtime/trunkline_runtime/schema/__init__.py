"""The JSON Schemas of every kind of file: from the wheel's package data, or from a checkout."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jsonschema

_SHIPPED = Path(__file__).parents[1] / "schemas"
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "schemas"
# A dollar that stands for itself is escaped, or in brackets: those are passed over.
_DOLLAR = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$")


def schema_folder() -> Path:
    """The folder that holds `<kind>.schema.json`: inside the wheel, else at the checkout's top."""
    return _SHIPPED if _SHIPPED.is_dir() else _IN_CHECKOUT


@cache
def schema(kind: str) -> dict[str, Any]:
    """The draft-07 schema of one kind of file (`flow`, `tenant`, `tool`, `node-table`, …).

    Raises FileNotFoundError for a kind that has none: a bug of ours, never the user's.
    """
    text = (schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def validator(kind: str) -> "jsonschema.Draft7Validator":
    """A validator for one kind of file; built once per process."""
    # Only what does not fit needs it, to say why; the import alone takes as long as a flow or two.
    import jsonschema

    extend: Any = jsonschema.validators.extend
    made = extend(jsonschema.Draft7Validator, {"pattern": _pattern})
    found: jsonschema.Draft7Validator = made(schema(kind))
    return found


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern as JSON Schema means it: its `$` is the very end. Python's own `$` also holds
    before a line's end, so that "acme" and a newline would be the name of a tenant.
    """
    return re.compile(_DOLLAR.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern))


def _pattern(
    validator: Any, pattern: str, instance: Any, schema: Mapping[str, Any]
) -> "Iterator[jsonschema.ValidationError]":
    import jsonschema

    if isinstance(instance, str) and compiled(pattern).search(instance) is None:
        yield jsonschema.ValidationError(f"{instance!r} does not match {pattern!r}")
