"""The JSON Schemas of every kind of file: from the wheel's package data, or from a checkout."""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import jsonschema

_IN_CHECKOUT = Path(__file__).resolve().parents[3] / "schemas"


def schema_folder() -> Traversable:
    """The folder that holds `<kind>.schema.json`: inside the wheel, else at the checkout's top."""
    shipped = files("trunkline_runtime") / "schemas"
    return shipped if shipped.is_dir() else _IN_CHECKOUT


@cache
def schema(kind: str) -> dict[str, Any]:
    """The draft-07 schema of one kind of file (`flow`, `tenant`, `tool`, `node-table`, …).

    Raises FileNotFoundError for a kind that has none: a bug of ours, never the user's.
    """
    text = (schema_folder() / f"{kind}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


@cache
def validator(kind: str) -> jsonschema.Draft7Validator:
    """A validator for one kind of file; built once per process."""
    return jsonschema.Draft7Validator(schema(kind))
