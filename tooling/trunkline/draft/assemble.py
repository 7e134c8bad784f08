"""From a plan and its steps to the document of a flow, in the order in which people write one."""

from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.draft.vocabulary import Vocabulary

Answer = Mapping[str, Any]


def flow_document(flow: str, plan: Answer, steps: Answer, words: Vocabulary) -> dict[str, Any]:
    """The flow as its file will say it: what is `null` or empty is left out."""
    purpose = plan.get("purpose")
    given = words.purposes.get(purpose or "", {}).get("direction")
    direction = given or plan.get("direction", "outbound")
    keys = {each["key"]: each["to"] for each in steps["keys"]}
    kinds = {step["name"]: step["kind"] for step in reversed(plan["steps"])}
    document = {
        "schema_version": 1,
        "id": flow,
        "description": spoken(plan["description"]),
        "direction": direction,
        "purpose": purpose,
        "language": plan["language"],
        "start": steps["start"],
        "inputs": {each["name"]: _input(each) for each in plan["inputs"]},
        "slots": {each["name"]: _slot(each) for each in plan["slots"]},
        "error": steps["error"],
        "anywhere": [_edge(each) for each in steps["anywhere"]],
        "keys": keys,
        "answer": _kept({"machine": steps["machine"] if direction == "outbound" else None}),
        "silence": _kept({"say": spoken(steps["silence"]["say"]), "to": steps["silence"]["to"]}),
        "limits": dict(steps["limits"]),
        "nodes": {name: node(kinds[name], step) for name, step in steps["steps"].items()},
        "after_call": [tool_use(each) for each in steps.get("after_call", ())],
    }
    return _kept(document)


def node(kind: str, step: Answer) -> dict[str, Any]:
    """A node of the flow from a step of an answer."""
    head = {} if kind == "talk" else {"kind": kind}
    if kind == "route":
        edges = [{"to": each["to"], "if": each["if"].strip()} for each in step["edges"]]
        return {**head, "edges": [*edges, {"to": step["else"], "else": True}]}
    texts = {"say", "instructions"}
    lists = {"tools": tool_use, "edges": _edge}
    found: dict[str, Any] = {}
    for key, value in step.items():
        if key in texts:
            found[key] = spoken(value)
        elif key in lists:
            found[key] = [lists[key](each) for each in value]
        else:
            found[key] = _unique(value) if isinstance(value, list) else value
    return {**head, **_kept(found)}


def tool_use(written: Answer) -> Any:
    """A tool as a node grants it: its id alone, where nothing is bound."""
    sets = {each["slot"]: each["from"] for each in written.get("sets", ())}
    use = _kept({"id": written["id"], "with": _kept(written["with"]), "sets": sets})
    return use["id"] if len(use) == 1 else use


def spoken(text: str | None) -> str | None:
    """A text on one line, without what cannot be printed; None for nothing."""
    line = " ".join((text or "").split())
    return "".join(each for each in line if each.isprintable()).strip() or None


def _edge(written: Answer) -> dict[str, Any]:
    edge = dict(written)
    edge["when"], edge["if"] = spoken(edge["when"]), spoken(edge["if"])
    edge["correction"] = edge["correction"] or None
    for key in ("requires", "clears"):
        edge[key] = _unique(edge.get(key, ()))
    return _kept(edge)


def _input(written: Answer) -> dict[str, Any]:
    return _kept({"type": written["type"], "description": spoken(written["description"])})


def _slot(written: Answer) -> dict[str, Any]:
    is_choice = written["type"] == "choice"
    source = written.get("choices_from") if is_choice else None
    choices = [spoken(each) for each in written["choices"]] if is_choice and not source else []
    # A choice without choices cannot be written down; as a text it can be asked for.
    type = "string" if is_choice and not source and not any(choices) else written["type"]
    return _kept(
        {
            "type": type,
            "choices": _unique([each for each in choices if each]),
            "choices_from": source,
            "description": spoken(written["description"]),
            "ask": spoken(written["ask"]),
            "pii": written["pii"] or None,
            "optional": written["optional"] or None,
        }
    )


def _unique(values: Sequence[Any]) -> list[Any]:
    return list(dict.fromkeys(values))


def _kept(written: Mapping[str, Any]) -> dict[str, Any]:
    empty: tuple[Any, ...] = (None, [], {}, ())
    return {
        key: value
        for key, value in written.items()
        if isinstance(value, bool | int | float) or value not in empty
    }
