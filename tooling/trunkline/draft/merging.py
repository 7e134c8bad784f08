"""A node as a model answered it, on top of the node that it is to replace.

What an answer cannot say is kept: an answer adds to a step, and takes no safeguard away unsaid.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.draft.assemble import node
from trunkline.draft.schema_parts import Schema

Node = Mapping[str, Any]


def merged(before: Node, kind: str, answer: Node, schema: Schema) -> dict[str, Any]:
    """The new node. Keys that the schema has no word for stay as they were.

    So do arguments that are bound, what a tool use and an edge say beyond the schema, and a number
    that a slot chooses.
    """
    new = node(kind, answer)
    sayable = set(schema["properties"])
    result = {key: value for key, value in before.items() if key in new or key not in sayable}
    result.update(new)
    if "tools" in new:
        result["tools"] = [_tool(each, before.get("tools", ())) for each in new["tools"]]
    if "edges" in new and kind != "route":
        result["edges"] = [_edge(each, before.get("edges", ())) for each in new["edges"]]
    if kind == "talk" and before.get("return"):
        result.pop("edges", None)
    if isinstance(before.get("number"), dict):
        result["number"] = before["number"]
    if kind != "talk" and "kind" not in before:
        result.pop("kind", None)
    return result


def _tool(new: Any, before: Sequence[Any]) -> Any:
    use = _as_mapping(new)
    for each in before:
        old = _as_mapping(each)
        if old["id"] == use["id"]:
            both = {**old, **use}
            for key in ("with", "sets"):
                if key in old or key in use:
                    both[key] = {**old.get(key, {}), **use.get(key, {})}
            return each if both == old else both
    return new


def _as_mapping(use: Any) -> dict[str, Any]:
    return {"id": use} if isinstance(use, str) else dict(use)


def _edge(new: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The edge, with the words that the same one had on the way (`say`)."""
    for old in before:
        if old["to"] == new["to"] and old.get("when") == new.get("when") and "say" in old:
            return {**new, "say": old["say"]}
    return dict(new)
