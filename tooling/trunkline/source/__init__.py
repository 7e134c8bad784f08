"""Reads files safely and remembers where each key and value stands (TL0xx, TL101, TL102)."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trunkline.source.document import Document
    from trunkline.source.repository import Sources, read_repository

__all__ = ["Document", "Sources", "read_repository"]

_MODULES = {"Document": "document", "Sources": "repository", "read_repository": "repository"}


def __getattr__(name: str) -> Any:
    """Loads the reader when it is asked for: a check of what has not changed parses nothing."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
