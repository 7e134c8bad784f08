"""A made flow in pipecat-ai's format: the same nodes, words, tools and ways between them."""

from collections.abc import Iterator
from typing import Any


def pipecat_flow(flow: dict[str, Any]) -> dict[str, Any]:
    """Instructions become task messages, exits functions that lead on, the end an action."""
    return {
        "initial_node": flow["start"],
        "nodes": {id: _node(node) for id, node in flow["nodes"].items()},
        "global_functions": [
            _way(index, edge, "any") for index, edge in enumerate(flow.get("anywhere", ()))
        ],
    }


def _node(node: dict[str, Any]) -> dict[str, Any]:
    said = [{"type": "tts_say", "text": node["say"]}] if "say" in node else []
    ends = [{"type": "end_conversation"}] if node.get("kind") == "end" else []
    text = node.get("instructions") or node.get("say") or "Go on."
    return {
        "task_messages": [{"role": "developer", "content": text}],
        "functions": list(_functions(node)),
        "pre_actions": said,
        "post_actions": ends,
    }


def _functions(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for tool in node.get("tools", ()):
        yield {"name": tool["id"]}
    for index, edge in enumerate(node.get("edges", ())):
        yield _way(index, edge)
    for key in ("on_yes", "on_no", "on_unclear", "on_failure"):
        if key in node:
            yield _way(0, {"to": node[key], "when": key}, key)


def _way(index: int, edge: dict[str, Any], name: str = "go") -> dict[str, Any]:
    words = edge.get("when") or edge.get("if") or "Go on."
    return {
        "name": f"{name}_{index}_to_{edge['to']}",
        "description": words,
        "transition_only": True,
        "transition_to": edge["to"],
    }
