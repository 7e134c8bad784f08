"""Whether only one branch of a `oneOf` can fit a value, as far as a decoder can tell."""

from collections.abc import Mapping, Sequence
from typing import Any


def are_told_apart(branches: Sequence[Any]) -> bool:
    """True if the branches have different types, or one required property with other constants."""
    if not all(isinstance(branch, Mapping) for branch in branches):
        return False
    types = [branch.get("type") for branch in branches]
    if len(set(map(repr, types))) == len(types) and all(isinstance(each, str) for each in types):
        # A whole number is a number, too.
        return not {"integer", "number"} <= set(types)
    names = [frozenset(branch.get("required", ())) for branch in branches]
    for name in sorted(frozenset.intersection(*names)) if names else ():
        constants = [_constants(branch.get("properties", {}).get(name, {})) for branch in branches]
        together = [value for values in constants for value in values]
        if all(constants) and len(set(together)) == len(together):
            return True
    return False


def _constants(schema: Any) -> list[str]:
    if not isinstance(schema, Mapping):
        return []
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return [repr(value) for value in values]
