"""A catalogue entry as it is published: what it says, however it is written."""

from collections.abc import Mapping
from typing import Any

from trunkline_runtime.catalogue.entry import DEFAULT_RETRIES, DEFAULT_TIMEOUT_SECONDS

_SETS = ("effects", "revokes", "spoken")
_DEFAULTS: Mapping[str, Any] = {
    # not `effects`: the schema of a tool requires them, also of a release
    "revokes": [],
    "spoken": [],
    "establishes": {},
    "idempotent": False,
    "retries": DEFAULT_RETRIES,
    "timeout_seconds": DEFAULT_TIMEOUT_SECONDS,
}


def settled(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document without what is so anyway, and with its sets in order.

    Two that mean the same have the same digest, so that writing a default out releases nothing.
    """
    sets = {key: sorted(set(document[key])) for key in _SETS if key in document}
    return {
        key: value
        for key, value in {**document, **sets}.items()
        if key not in _DEFAULTS or value != _DEFAULTS[key]
    }
