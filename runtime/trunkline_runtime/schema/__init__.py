"""The JSON Schemas of every kind of file: from the wheel's package data, or from a checkout."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jsonschema

_SHIPPED = Path(__file__).parents[1] / "schemas"
_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "schemas"


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

    return jsonschema.Draft7Validator(schema(kind))
