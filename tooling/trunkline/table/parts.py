"""The parts of a node table, with defaults left out: edges, tool uses, slots, silence, limits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trunkline.graph.scope import Scope
from trunkline.model.declaration import Declaration
from trunkline.model.edge import Edge
from trunkline.model.tool_use import ToolUse
from trunkline.table.spelling import spelled, spelled_words
from trunkline_runtime.table.parts import (
    DEFAULT_MAX_CALLS,
    DEFAULT_MAX_MINUTES,
    DEFAULT_MAX_VISITS,
    DEFAULT_SILENCE_SECONDS,
    DEFAULT_SILENCE_TIMES,
)

Json = dict[str, Any]


def present(values: Mapping[str, object]) -> Json:
    """The values that say something: no None, false, empty list or empty mapping."""
    return {
        key: value
        for key, value in values.items()
        if value is not None and value is not False and value != [] and value != {}
    }


def words(scope: Scope, text: str | None) -> str | None:
    """A text as it is spoken, with the params of its file filled in."""
    return None if text is None else spelled_words(scope.words(text)).strip()


def expression(scope: Scope, text: str | None) -> str | None:
    """A condition with the params of its file filled in."""
    return None if text is None else spelled(scope.expression(text))


def target(scope: Scope, written: str) -> str:
    """The inlined id of a node. Raises ValueError for a target that does not exist."""
    found = scope.resolve(written)
    if found is None:
        raise ValueError(f"{written} leads nowhere, so this flow has no table")
    return found


def edge_json(scope: Scope, edge: Edge) -> Json:
    """An exit; what it requires and clears is a set, so it is sorted."""
    return present(
        {
            "to": target(scope, edge.to),
            "when": None if edge.when is None else edge.when.strip(),
            "if": expression(scope, edge.condition),
            "requires": sorted(set(edge.requires)),
            "else": edge.otherwise,
            "say": words(scope, edge.say),
            "correction": edge.correction,
            "clears": sorted(set(edge.clears)),
        }
    )


def edges_json(scope: Scope, edges: Sequence[Edge]) -> list[Json]:
    """Exits in their order, which decides between them."""
    return [edge_json(scope, edge) for edge in edges]


def tool_json(scope: Scope, use: ToolUse) -> Json:
    """A tool as a node grants it."""
    return present(
        {
            "id": use.id,
            "with": values_json(use.bind, scope.expression),
            "sets": values_json(use.sets, scope.expression),
            "if": expression(scope, use.condition),
            "once": use.once,
            "max_calls": None if use.max_calls == DEFAULT_MAX_CALLS else use.max_calls,
        }
    )


def values_json(values: Mapping[str, Any], filled: Callable[[str], str]) -> Json:
    """Arguments: a text is an expression, a number or yes/no value stands for itself."""
    return {
        name: spelled(filled(value)) if isinstance(value, str) else value
        for name, value in values.items()
    }


def declaration_json(scope: Scope, declared: Declaration) -> Json:
    """A slot or an input."""
    spoken = {
        key: words(scope, value) if key == "ask" else value.strip()
        for key, value in declared.written.items()
        if key in ("ask", "description")
    }
    return present({**declared.written, **spoken})


def silence_json(scope: Scope, written: Mapping[str, Any]) -> Json:
    """What happens while the caller says nothing."""
    return present(
        {
            **_without(written, "after_seconds", DEFAULT_SILENCE_SECONDS),
            **_without(written, "times", DEFAULT_SILENCE_TIMES),
            "say": words(scope, written.get("say")),
            "to": target(scope, written["to"]) if "to" in written else None,
        }
    )


def limits_json(scope: Scope, written: Mapping[str, Any]) -> Json:
    """How often and how long, and where the call goes then."""
    return present(
        {
            **_without(written, "max_visits", DEFAULT_MAX_VISITS),
            **_without(written, "max_minutes", DEFAULT_MAX_MINUTES),
            "to": target(scope, written["to"]) if "to" in written else None,
        }
    )


def own_silence(scope: Scope, written: Mapping[str, Any], flow: Json) -> Json | None:
    """A node's own silence, complete; None where it says no more than the flow's.

    What the node leaves open is as in the flow. It is written out with its defaults, so that
    nothing of the flow's is mistaken for the node's.
    """
    if not written:
        return None
    of_flow = {
        "after_seconds": DEFAULT_SILENCE_SECONDS,
        "times": DEFAULT_SILENCE_TIMES,
        **flow,
    }
    own = {**of_flow, **written, **silence_json(scope, written)}
    return None if own == of_flow else own


def own_limits(scope: Scope, written: Mapping[str, Any], flow: Json) -> Json | None:
    """A node's own limits, complete; None where they say no more than the flow's."""
    if not written:
        return None
    of_flow = {"max_visits": DEFAULT_MAX_VISITS, **flow}
    of_flow.pop("max_minutes", None)
    own = {**of_flow, **written, **limits_json(scope, written)}
    return None if own == of_flow else own


def _without(written: Mapping[str, Any], key: str, default: float) -> Json:
    return {key: written[key]} if written.get(key, default) != default else {}
