"""What is left of a file that does not fit its schema: the file without what does not fit."""

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from jsonschema.exceptions import ValidationError

from trunkline.source.document import Document
from trunkline_runtime.schema import validator

_ROUNDS = 20  # taking one thing out can make another fault visible, but not for ever


def salvaged(document: Document) -> Document | None:
    """The document with everything taken out that its schema refuses; None if nothing is left.

    A key too many is taken out, and so is a value of the wrong kind, or a node that lacks
    something: the smallest part that holds the fault.
    """
    data = copy.deepcopy(document.data)
    for _ in range(_ROUNDS):
        faults = list(validator(document.kind).iter_errors(data))
        if not faults:
            return replace(document, data=data)
        removed = [_take_out(data, fault) for fault in faults]
        if not all(removed):
            return None
    return None


def _take_out(data: Any, fault: ValidationError) -> bool:
    """Takes the fault out of `data`; False if the whole file is at fault."""
    place: Sequence[str | int] = list(fault.absolute_path)
    if fault.validator == "additionalProperties" and isinstance(fault.instance, dict):
        known = fault.schema.get("properties", {}) if isinstance(fault.schema, dict) else {}
        unknown = [key for key in fault.instance if key not in known]
        holder = _at(data, place)
        if unknown and isinstance(holder, dict):
            for key in unknown:
                holder.pop(key, None)
            return True
    if not place:
        return False
    holder, last = _at(data, place[:-1]), place[-1]
    if isinstance(holder, dict):
        holder.pop(last, None)
    elif isinstance(holder, list) and isinstance(last, int) and last < len(holder):
        del holder[last]
    return True


def _at(data: Any, place: Sequence[str | int]) -> Any:
    """The value at a place; None if it was taken out with another fault."""
    for step in place:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data
