"""The first scenarios of a flow: what any flow must get right, made from its node table."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.draft.compiling import Proposal
from trunkline.draft.spelling import spell

Table = Mapping[str, Any]

_AT = "2026-12-01T17:00:00Z"  # noon in New York, nine in Los Angeles: inside anybody's hours
_NUMBER = "+12025550143"
_MOST = 8
_OPENING = "Is now a good time?"
_SAMPLES: Mapping[str, Any] = {
    "integer": 1,
    "number": 10.0,
    "boolean": True,
    "date": "2026-12-10",
    "time": "10:00",
    "datetime": "2026-12-10T10:00",
    "phone": "+12025550144",
    "email": "jane@example.com",
}


def first_scenarios(proposal: Proposal, tenant: str, flow: str) -> str | None:
    """The text of the scenario file; None while the flow has errors: then nothing can be played.

    Each says what the caller and the model do, and what must come of it.
    """
    table = proposal.compiled.tables.get((tenant, flow))
    if table is None:
        return None
    found = list(_scenarios(table))[:_MOST]
    return spell({"name": flow, "scenarios": found}) if found else None


def _scenarios(table: Table) -> Iterator[dict[str, Any]]:
    start, nodes = table["start"], table["nodes"]
    opening = nodes[start]
    if opening.get("kind", "talk") == "talk" and not _moves_by_itself(opening):
        for edge in [*table.get("anywhere", ()), *opening.get("edges", ())]:
            end = nodes.get(edge["to"], {})
            if "when" in edge and not _is_guarded(edge) and end.get("kind") == "end":
                yield _ends_at_once(table, edge, end)
        for key, target in table.get("keys", {}).items():
            if nodes[target].get("kind") == "end":
                yield _pressed(table, key, target)
    machine = table.get("answer", {}).get("machine")
    if machine is not None and nodes[machine].get("kind") == "end":
        yield {
            **_scenario(table, "a machine answers", answered_by="machine"),
            "instructions": "You are an answering machine.",
            "turns": [],
            "expect": {"nodes": [machine], "outcome": nodes[machine]["outcome"]},
        }
    yield from _refusals(table)


def _ends_at_once(table: Table, edge: Mapping[str, Any], end: Mapping[str, Any]) -> dict[str, Any]:
    when = edge["when"]
    return {
        **_scenario(table, f"at the start, {when}"),
        "instructions": f"Behave so that it can be said: {when}.",
        "turns": [
            {"model": [{"say": _OPENING}]},
            {"caller": f"({when})", "model": [{"move_to": edge["to"]}]},
        ],
        "expect": {"nodes": [table["start"], edge["to"]], "outcome": end["outcome"]},
    }


def _pressed(table: Table, key: str, target: str) -> dict[str, Any]:
    return {
        **_scenario(table, f"presses {key}"),
        "instructions": f"You say nothing and press {key}.",
        "turns": [{"model": [{"say": _OPENING}]}, {"key": key}],
        "expect": {
            "nodes": [table["start"], target],
            "outcome": table["nodes"][target]["outcome"],
        },
    }


def _refusals(table: Table) -> Iterator[dict[str, Any]]:
    """A move that needs a fact is refused while nothing is proven."""
    for name, node in table["nodes"].items():
        if node.get("kind", "talk") != "talk" or _moves_by_itself(node):
            continue
        for edge in node.get("edges", ()):
            facts = [each for each in edge.get("requires", ()) if not each.startswith("slots.")]
            others = [
                each
                for each in [*node["edges"], *table.get("anywhere", ())]
                if each["to"] == edge["to"] and each is not edge
            ]
            if "when" in edge and facts and not others:
                yield {
                    **_scenario(table, f"{name} does not lead to {edge['to']} without {facts[0]}"),
                    "start_at": name,
                    "turns": [
                        {"model": [{"say": "One moment."}]},
                        {
                            "caller": f"({edge['when']})",
                            "model": [{"move_to": edge["to"]}, {"say": "I cannot do that yet."}],
                        },
                        {"hangup": True},
                    ],
                    "expect": {"refused": [edge["to"]], "facts": []},
                }


def _scenario(table: Table, label: str, answered_by: str = "human") -> dict[str, Any]:
    inputs = {name: _sample(each) for name, each in table.get("inputs", {}).items()}
    scenario: dict[str, Any] = {"label": label, "at": _AT, "number": _NUMBER}
    if inputs:
        scenario["inputs"] = inputs
    if table["direction"] == "outbound":
        scenario["answered_by"] = answered_by
    return scenario


def _sample(declared: Mapping[str, Any]) -> Any:
    choices = declared.get("choices")
    return choices[0] if choices else _SAMPLES.get(declared["type"], "A-1001")


def _is_guarded(edge: Mapping[str, Any]) -> bool:
    return "if" in edge or "requires" in edge


def _moves_by_itself(node: Mapping[str, Any]) -> bool:
    """True if the runtime may move on before the model has said anything."""
    return any("when" not in edge and not _waits(edge) for edge in node.get("edges", ()))


def _waits(edge: Mapping[str, Any]) -> bool:
    """True if the edge cannot be open before a tool has run or something was proven."""
    needs = [each for each in edge.get("requires", ()) if not each.startswith("slots.")]
    return bool(needs) or edge.get("if", "").startswith(("facts.", "failed."))
