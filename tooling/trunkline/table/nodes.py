"""The nodes of a node table."""

from collections.abc import Mapping

from trunkline.graph.inline import InlinedNode
from trunkline.graph.scope import Scope
from trunkline.model.nodes import (
    ConfirmNode,
    EndNode,
    LinkNode,
    RouteNode,
    TalkNode,
    TransferNode,
)
from trunkline.table.parts import (
    Json,
    edges_json,
    own_limits,
    own_silence,
    present,
    target,
    tool_json,
    values_json,
    words,
)
from trunkline_runtime.table.parts import DEFAULT_CONFIRM_TIMES


def node_json(inlined: InlinedNode, flow: Json) -> Json:
    """A node; `flow` holds the table's own `silence`, `limits` and `keys`."""
    node, scope = inlined.node, inlined.scope
    match node:
        case TalkNode():
            return _talk(node, scope, flow)
        case ConfirmNode():
            return _confirm(node, scope)
        case RouteNode():
            return {"kind": "route", "edges": edges_json(scope, node.edges)}
        case TransferNode():
            return _transfer(node, scope)
        case EndNode():
            said = words(scope, node.say)
            return present({"kind": "end", "say": said, "outcome": node.outcome})
        case LinkNode():
            bound = values_json(node.bind, scope.expression)
            return present({"kind": "link", "flow": node.flow, "with": bound})
    raise TypeError(f"{inlined.id}: a sub-flow is inlined before it comes to a table")


def keys_json(scope: Scope, keys: Mapping[str, str]) -> Json:
    """Key → the inlined id of the node that it leads to."""
    return {key: target(scope, written) for key, written in keys.items()}


def _talk(node: TalkNode, scope: Scope, flow: Json) -> Json:
    # The flow's keys are heard everywhere; a node's own cannot take their place.
    keys = {key: to for key, to in node.keys.items() if key not in flow.get("keys", {})}
    return present(
        {
            "speak": list(node.speak),
            "say": words(scope, node.say),
            "say_again": words(scope, node.say_again),
            "instructions": words(scope, node.instructions),
            "collect": list(dict.fromkeys(node.collect)),
            "tools": [tool_json(scope, use) for use in node.tools],
            "edges": edges_json(scope, node.edges),
            "history": present(node.history),
            "silence": own_silence(scope, node.silence, flow.get("silence", {})),
            "limits": own_limits(scope, node.limits, flow.get("limits", {})),
            "keys": keys_json(scope, keys),
            "return": node.aside,
        }
    )


def _confirm(node: ConfirmNode, scope: Scope) -> Json:
    times = None if node.times == DEFAULT_CONFIRM_TIMES else node.times
    return present(
        {
            "kind": "confirm",
            "say": words(scope, node.say),
            "establishes": sorted(set(node.establishes)),
            "on_yes": target(scope, node.on_yes),
            "on_no": target(scope, node.on_no),
            "on_unclear": target(scope, node.on_unclear),
            "times": times,
        }
    )


def _transfer(node: TransferNode, scope: Scope) -> Json:
    number = node.number if isinstance(node.number, str) else dict(node.number)
    return present(
        {
            "kind": "transfer",
            "number": number,
            "mode": node.mode,
            "summary": list(dict.fromkeys(node.summary)),
            "say": words(scope, node.say),
            "on_failure": target(scope, node.on_failure),
        }
    )
