"""The node table of an inlined flow: the same meaning gives the same JSON."""

from collections.abc import Iterable, Mapping

from trunkline.graph.inline import Inlined
from trunkline.model.flow import Flow
from trunkline.table.nodes import keys_json, node_json
from trunkline.table.parts import (
    Json,
    declaration_json,
    edges_json,
    limits_json,
    present,
    silence_json,
    target,
    tool_json,
)
from trunkline_runtime.catalogue.entry import ToolEntry, with_needed
from trunkline_runtime.table.node_table import FORMAT


def table_of(inlined: Inlined, entries: Mapping[str, ToolEntry], given: Iterable[str] = ()) -> Json:
    """The table of a flow without errors: what it uses is in place, defaults are left out.

    `given` are the slots that a link must have filled before the flow begins.
    """
    root, flow = inlined.root, inlined.whole
    top = present(
        {
            "anywhere": edges_json(root, flow.anywhere),
            "keys": keys_json(root, flow.keys),
            "answer": _answer(inlined, flow),
            "silence": silence_json(root, flow.silence),
            "limits": limits_json(root, flow.limits),
            "error": target(root, flow.error) if flow.error is not None else None,
            "after_call": [tool_json(root, use) for use in flow.after_call],
        }
    )
    return {
        "schema": FORMAT,
        "tenant": inlined.tenant,
        "flow": inlined.flow.id,
        "direction": flow.direction,
        **present({"purpose": flow.purpose}),
        "language": flow.language,
        "start": target(root, flow.start or ""),
        **present(
            {
                "inputs": {name: declaration_json(root, d) for name, d in flow.inputs.items()},
                "slots": {name: declaration_json(root, d) for name, d in flow.slots.items()},
                "given": sorted(given),
            }
        ),
        "nodes": {id: node_json(inner, top) for id, inner in inlined.nodes.items()},
        **top,
        "tools": {id: entries[id].digest for id in sorted(_tools(inlined, entries))},
    }


def _answer(inlined: Inlined, flow: Flow) -> Json:
    """Where a call goes by what picked up; to the start is what it does anyway."""
    leads = keys_json(inlined.root, flow.answer)
    start = target(inlined.root, flow.start or "")
    return {answered: node for answered, node in leads.items() if node != start}


def _tools(inlined: Inlined, entries: Mapping[str, ToolEntry]) -> frozenset[str]:
    """All that the flow grants, and what stands behind it: a release must hold it all."""
    granted = {use.id for _, use in inlined.uses()} | {use.id for use in inlined.whole.after_call}
    return with_needed(entries, granted)
