"""What the tools of a recorded call answered. Results are not on record: these are made to fit."""

from collections.abc import Mapping
from typing import Any

from trunkline.scenario.stand_ins import results_of
from trunkline_runtime.call.conditions import conditions_of
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import TalkNode


def answers_of(
    release: Release, table: NodeTable, record: Mapping[str, Any], slots: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """What each tool answered, in order, so that facts and slots come out as on record."""
    answers: dict[str, list[dict[str, Any]]] = {}
    for tool in record["tools"]:
        if tool["outcome"] in ("error", "timeout"):
            words = "timeout" if tool["outcome"] == "timeout" else "It does not answer."
            answers.setdefault(tool["tool"], []).append({"error": words})
        elif tool["outcome"] == "done":
            result = _result(release, table, record, slots, tool)
            answers.setdefault(tool["tool"], []).append({"result": result})
    return answers


def _result(
    release: Release,
    table: NodeTable,
    record: Mapping[str, Any],
    slots: Mapping[str, Any],
    tool: Mapping[str, Any],
) -> dict[str, Any]:
    """A result from which the facts and slots of the record follow."""
    entry = release.entries[tool["tool"]]
    conditions = conditions_of(table, release.entries, release.facts)
    last = max(index for index, each in enumerate(record["tools"]) if each["tool"] == entry.id)
    is_last = record["tools"][last] is tool
    wanted = {
        fact: is_last and record["facts"].get(fact, {}).get("by") == entry.id
        for fact in entry.establishes
    }
    best: dict[str, Any] = {}
    for result in results_of(entry.result):
        best = best or result
        values = {f"result.{name}": value for name, value in result.items()}
        holds = {
            fact: conditions.of_tool(entry.id, text).holds(values)
            for fact, text in entry.establishes.items()
        }
        if holds == wanted:
            best = result
            break
    for node in table.nodes.values():
        for use in node.tools if isinstance(node, TalkNode) else ():
            for slot, text in use.sets.items():
                value = slots.get(slot)
                # A text may have to fit a pattern: then the made-up one does.
                plain = isinstance(text, str) and text.startswith("result.")
                if use.id == entry.id and plain and isinstance(value, int | float | bool):
                    best[str(text).removeprefix("result.")] = value
    for name, slot_ in table.slots.items():
        if slot_.choices_from and slot_.choices_from.startswith(f"{entry.id}.") and name in slots:
            best[slot_.choices_from.partition(".")[2]] = [slots[name]]
    return best
