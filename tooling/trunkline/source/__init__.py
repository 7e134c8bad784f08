"""Reads files safely and remembers where each key and value stands (TL0xx, TL101, TL102)."""

from trunkline.source.document import Document
from trunkline.source.repository import Sources, read_repository

__all__ = ["Document", "Sources", "read_repository"]
