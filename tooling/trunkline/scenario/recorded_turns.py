"""The turns of a recorded call: no words, but what the model chose and the caller did."""

from collections.abc import Mapping
from typing import Any

from trunkline.scenario.stand_ins import shaped, stand_in
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import ConfirmNode, TalkNode

_SAID = "(what the caller said)"
_CONFIRMED = {"yes": ["Yes."], "no": ["No."]}
_MODEL_FAILED = "the model failed"


def turns_of(
    table: NodeTable, record: Mapping[str, Any], slots: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """What caller and model did, node by node; `slots` are the stand-ins of what was collected."""
    turns: list[dict[str, Any]] = [{"model": []}]
    declined = set(record["declined"])
    last = {step["node"]: step["visit"] for step in record["path"]}
    for step, following in zip(record["path"], [*record["path"][1:], None], strict=True):
        node = table.nodes.get(step["node"])
        if isinstance(node, TalkNode):
            # A node that collects is left without the model when it has everything.
            complete = following is not None and following["cause"] == "edge"
            known = slots if last[node.id] == step["visit"] else {}
            mine: dict[str, Any] = {
                name: slots.get(name, stand_in(name, table.slots[name], None))
                for name in node.collect
                if (complete or name in known) and name not in declined
            }
            if refused := [name for name in node.collect if name in declined]:
                mine["declined"] = refused
            model: list[dict[str, Any]] = []
            tools = [
                {"calls": [{"tool": tool["tool"], "args": _visible(node, tool)}]}
                for tool in record["tools"]
                if tool["visit"] == step["visit"] and tool["node"] == step["node"]
            ]
            # What is chosen from a tool's result is chosen after that result.
            offered = any(table.slots[name].choices_from for name in mine if name in table.slots)
            if offered:
                turns[-1].setdefault("model", []).extend(tools)
            if mine:
                turns.append({"caller": _SAID, "model": model})
                model.append({"calls": [{"tool": "collect", "args": mine}]})
            elif following is not None and following["cause"] == "model":
                turns.append({"caller": _SAID, "model": model})
            else:
                model = turns[-1].setdefault("model", [])
            if not offered:
                model.extend(tools)
            if following is not None and following["cause"] in ("model", "back"):
                move = "back" if following["cause"] == "back" else following["node"]
                chosen = {"move_to": move}
                if following["cause"] == "model":
                    chosen["when"] = following["why"]
                model.append(chosen)
            if following is not None and following["why"].startswith(_MODEL_FAILED):
                if len(turns) == 1 and record["turns"]["caller"]:
                    turns.append({"caller": _SAID, "model": (model := [])})
                model.append({"fails": "the model does not answer"})
        if following is not None:
            turns += _deeds(table, node, following)
    if record["outcome"] == "hung_up":
        turns.append({"hangup": True})
    return turns


def _deeds(table: NodeTable, node: object, step: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the caller did that was no choice of the model's."""
    cause, why = step["cause"], step["why"]
    if cause == "key":
        return [{"key": why}]
    if cause == "confirm":
        times = node.times if isinstance(node, ConfirmNode) else 1
        return [{"caller": said} for said in _CONFIRMED.get(why, ["I am not sure."] * times)]
    if cause == "silence":
        return [{"silence": table.silence.after_seconds}] * (table.silence.times + 1)
    if cause == "limit":
        return [{"silence": table.limits.max_minutes * 60}]
    return []


def _visible(node: TalkNode, tool: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that the model chose: bound ones are put in by the runtime."""
    bound = {name for use in node.tools if use.id == tool["tool"] for name in use.bind}
    return {
        name: shaped(value) or "something" if isinstance(value, str) else value
        for name, value in tool["args"].items()
        if name not in bound
    }
