"""Fills `{{ slots.x }}`, `{{ tenant.display_name }}` and the like into words and instructions."""

import re
from collections.abc import Mapping
from typing import Any

from trunkline_runtime.call.spoken_value import spoken
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings

_PLACE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\}\}")


def filled(
    text: str, values: Mapping[str, Json], table: NodeTable, settings: TenantSettings
) -> str:
    """The text with every place filled in; `values` are those of `values_now`.

    A name without a value leaves nothing behind: the compiler has proven that none is reached, and
    a caller must not hear braces if it was wrong.
    """

    def word(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in values:
            return spoken(values[name], _type_of(name, table), table.language)
        return spoken(_of_tenant(name, settings), None, table.language)

    return " ".join(_PLACE.sub(word, text).split())


def _type_of(name: str, table: NodeTable) -> str | None:
    room, _, rest = name.partition(".")
    declared = {"slots": table.slots, "inputs": table.inputs}.get(room, {})
    return declared[rest].type if rest in declared else None


def _of_tenant(name: str, settings: TenantSettings) -> Json:
    if name == "tenant.display_name":
        return settings.display_name
    found: Any = {"tenant": {"vars": settings.vars}}
    for part in name.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(part)
    value: Json = found
    return value
