"""Lists in the results of tools: the choices of a slot, and the values of a tool's argument."""

from collections.abc import Mapping
from typing import Any

from trunkline_runtime.table.canonical import Json


def listed(results: Mapping[str, Json], source: str) -> tuple[str, ...]:
    """The texts in the list that `<tool>.<path in its result>` names; none while there is no list.

    `results` holds the last result of each tool.
    """
    tool, *path = source.split(".")
    found: Any = results.get(tool)
    for part in path:
        found = found.get(part) if isinstance(found, Mapping) else None
    if not isinstance(found, list | tuple):
        return ()
    return tuple(dict.fromkeys(text for text in found if isinstance(text, str)))
