"""An answer of a model: read as JSON and validated against the schema that it was given."""

import json
from typing import Any

import jsonschema

from trunkline.draft.schema_parts import Schema

_LONGEST = 300  # characters of a problem as it is told


class UnusableError(Exception):
    """An answer that is no JSON or does not fit; the message says what is wrong with it."""


def usable(text: str | None, schema: Schema) -> dict[str, Any]:
    """The answer. Raises UnusableError: a server may have ignored the schema, or a model argues."""
    if not text or not text.strip():
        raise UnusableError("it is empty")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise UnusableError(f"it is not JSON; it begins with: {_cut(text.strip(), 60)}") from None
    problems = sorted(
        jsonschema.Draft202012Validator(schema).iter_errors(value), key=lambda each: each.json_path
    )
    if problems:
        first = problems[0]
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        where = first.json_path.replace("$.", "").replace("$", "the answer")
        raise UnusableError(f"at {where}: {_cut(first.message, _LONGEST)}{more}")
    assert isinstance(value, dict)
    return value


def _cut(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
