"""Words that can be spoken: what a model wrote for a screen, made fit for the ear."""

import re
from collections.abc import Mapping

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json

_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
_ADDRESS = re.compile(r"\s*\(?\bhttps?://\S+")
_LINE_MARK = re.compile(r"(?m)^[ \t]*(?:[-*•]|#{1,6}|\d+[.)]|>)[ \t]+")
_EMPHASIS = re.compile(r"\*{1,3}|`+|~~|(?<!\w)_{1,2}|_{1,2}(?!\w)")


def speakable(text: str) -> str:
    """The text without markup, links and line breaks; its words stay as they are."""
    plain = _LINK.sub(r"\1", text)
    plain = _ADDRESS.sub("", plain)
    plain = _LINE_MARK.sub("", plain)
    plain = _EMPHASIS.sub("", plain)
    return re.sub(r"\s+", " ", plain).strip()


def speakable_result(entry: ToolEntry, result: Mapping[str, Json]) -> dict[str, Json]:
    """The result with every free text made speakable; texts that a schema fixes stay."""
    properties = entry.result.get("properties", {})
    return {
        name: speakable(value) if isinstance(value, str) and _free(properties.get(name)) else value
        for name, value in result.items()
    }


def _free(schema: object) -> bool:
    fixed = ("enum", "const", "pattern", "format")
    return isinstance(schema, Mapping) and not any(keyword in schema for keyword in fixed)
