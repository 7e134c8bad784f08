"""Flows by a grammar: every kind of node, exit and tool, most of them sound and some of them not.

What a node may hold is made so that many flows pass: slots are collected where a tool reads them,
nodes are reached and can be left. Whether a proof is required, kept or lost is left to chance.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import strategies as st

HEAD = {"schema_version": 1, "id": "flow", "direction": "inbound", "language": "en-US"}
SLOTS: dict[str, Any] = {
    "account": {"type": "string"},
    "full_name": {"type": "string"},
    "postcode": {"type": "string"},
    "day": {"type": "date", "optional": True},
    "due": {"type": "number"},
}
INPUTS = {"account_id": {"type": "string"}}
UNSAID = '"Jane Doe"'
SAID = {"full_name": "slots.full_name", "postcode": "slots.postcode"}
# Name → (what the node has to collect, the grant).
TOOLS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "look_up": (
        ["full_name", "postcode"],
        {"id": "look_up", "with": {"account_id": "inputs.account_id", **SAID}},
    ),
    "look_up_slot": (
        ["account", "full_name", "postcode"],
        {"id": "look_up", "with": {"account_id": "slots.account", **SAID}},
    ),
    "look_up_unsaid": (
        ["postcode"],
        {
            "id": "look_up",
            "with": {
                "account_id": "inputs.account_id",
                "full_name": UNSAID,
                "postcode": "slots.postcode",
            },
        },
    ),
    "trust": ([], {"id": "trust", "with": {"code": "inputs.account_id"}}),
    "forget": ([], {"id": "forget"}),
    "search": ([], {"id": "search"}),
    "invoice": (
        [],
        {
            "id": "get_invoice",
            "with": {"account_id": "inputs.account_id"},
            "sets": {"due": "result.amount_due"},
        },
    ),
    "pay": (
        [],
        {"id": "take_payment", "with": {"account_id": "inputs.account_id"}, "max_calls": 2},
    ),
}
CONDITIONS = (
    ([], "call.minutes < 20"),
    ([], "facts.payment_taken"),
    ([], "!facts.agreed"),
    ([], "facts.identity_verified && call.visits < 4"),
    ([], "facts.identity_verified || facts.agreed"),
    (["slots.due"], "slots.due > 0.0"),
    (["slots.full_name"], 'slots.full_name != ""'),
)


@dataclass
class _Making:
    """A flow that is being made."""

    chance: Random
    ids: list[str]
    nodes: dict[str, dict[str, Any]] = field(default_factory=dict)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def some(self, names: list[str], most: int) -> list[str]:
        return self.chance.sample(names, self.chance.randint(0, min(most, len(names))))


@st.composite
def flows(draw: st.DrawFn) -> dict[str, Any]:
    """Flow documents of the base repository's tenant acme."""
    return make_flow(draw(st.integers(0, 2**32)), draw(st.integers(2, 8)))


def make_flow(seed: int, size: int) -> dict[str, Any]:
    """The flow of a seed, of about `size` nodes beside its ends."""
    chance = Random(seed)
    making = _Making(chance, [f"n{number}" for number in range(size)])
    kinds = {id: chance.choices(("talk", "confirm", "route"), (7, 1, 1))[0] for id in making.ids}
    kinds["n0"] = "talk"
    asides = [id for id in making.ids[2:] if kinds[id] == "talk" and making.often(0.12)]
    for id in making.ids:
        if id in asides:
            making.nodes[id] = _talk(making, aside=True)
        elif kinds[id] == "talk":
            making.nodes[id] = _talk(making, aside=False)
        elif kinds[id] == "confirm":
            making.nodes[id] = _confirm(making)
        else:
            making.nodes[id] = _route(making)
    making.nodes["done"] = {"kind": "end", "say": "Goodbye.", "outcome": "done"}
    making.nodes["human"] = {"kind": "transfer", "number": "support", "on_failure": "done"}
    if making.often(0.6):
        _pay_somewhere(making, asides)
    _connect(making, asides)
    if making.often(0.8):
        _prove_payments(making)
    _without_hopeless_facts(making)
    return {**HEAD, "start": "n0", "inputs": INPUTS, "slots": SLOTS, **_whole(making, asides)}


def _talk(making: _Making, *, aside: bool) -> dict[str, Any]:
    chance = making.chance
    node: dict[str, Any] = {
        "instructions": "Speak of look up, trust, forget, search, invoice, pay."
    }
    collect = making.some(
        ["account", "full_name", "postcode", "day"], 2 if making.often(0.4) else 0
    )
    tools = []
    for name in making.some([*TOOLS, "pay", "look_up"], 2 if making.often(0.6) else 0):
        needs, use = TOOLS[name]
        collect += [slot for slot in needs if slot not in collect]
        if use["id"] not in {other["id"] for other in tools}:
            tools.append(dict(use))
    if collect:
        node["collect"] = collect
    if tools:
        node["tools"] = tools
    if not aside:
        here = len(making.nodes)
        edges = [_edge(making, here, number) for number in range(chance.randint(1, 3))]
        node["edges"] = [*edges, {"to": chance.choice(("done", "human")), "when": "they are done"}]
    else:
        node["return"] = True
    if making.often(0.1):
        node["limits"] = {"max_visits": chance.randint(1, 4)}
    return node


def _edge(making: _Making, here: int, number: int) -> dict[str, Any]:
    """An exit of the node at the position `here`; without `when` it leads on, not back."""
    chance = making.chance
    edge: dict[str, Any] = {"to": chance.choice([*making.ids, "done"])}
    requires = ["identity_verified"] if making.often(0.35) else []
    if making.often(0.75):
        edge["when"] = f"reason {number}"
    elif making.often(0.95):
        edge["to"] = chance.choice([*making.ids[here + 1 :], "done"])
    if making.often(0.3 if "when" in edge else 0.7):
        needs, condition = chance.choice(CONDITIONS)
        requires += needs
        edge["if"] = condition
    if requires:
        edge["requires"] = requires
    if making.often(0.15):
        edge["clears"] = making.some(["account", "full_name", "postcode"], 2) or ["full_name"]
    return edge


def _confirm(making: _Making) -> dict[str, Any]:
    yes, no = (making.chance.choice([*making.ids, "done"]) for _ in range(2))
    node = {"kind": "confirm", "say": "Is that right?", "on_yes": yes, "on_no": no}
    if making.often(0.5):
        node["establishes"] = ["agreed"]
    return {**node, "on_unclear": "done"}


def _route(making: _Making) -> dict[str, Any]:
    later = [*making.ids[len(making.nodes) + 1 :], "done", "human"]
    _, condition = making.chance.choice(CONDITIONS[:5])
    first: dict[str, Any] = {"to": making.chance.choice(later), "if": condition}
    if making.often(0.4):
        first["requires"] = ["identity_verified"]
    otherwise = making.chance.choice(later)
    return {"kind": "route", "edges": [first, {"to": otherwise, "else": True}]}


def _connect(making: _Making, asides: list[str]) -> None:
    """Leads to every node from an earlier one; to a payment mostly with the proof."""
    for number, id in enumerate(making.ids[1:], start=1):
        if id in asides:
            continue
        parents = [each for each in making.ids[:number] if "edges" in making.nodes[each]]
        parent = making.nodes[making.chance.choice(parents)]
        edge: dict[str, Any] = {"to": id}
        if parent.get("kind") == "route":
            edge["if"] = "call.minutes < 9"
        else:
            edge["when"] = f"they want {id}"
        pays = any(use["id"] == "take_payment" for use in making.nodes[id].get("tools", ()))
        if making.often(0.8 if pays else 0.2):
            edge["requires"] = ["identity_verified"]
        parent["edges"].insert(0, edge)


def _whole(making: _Making, asides: list[str]) -> dict[str, Any]:
    chance = making.chance
    anywhere = [{"to": "human", "when": "they ask for a human"}] if making.often(0.7) else []
    anywhere += [{"to": aside, "when": f"they ask about {aside}"} for aside in asides]
    if making.often(0.1):
        anywhere.append({**_edge(making, 0, 9), "when": "something else"})
    whole: dict[str, Any] = {"anywhere": anywhere} if anywhere else {}
    targets = ["done", "human", "done", "human", chance.choice(making.ids)]
    if making.often(0.3):
        whole["keys"] = {"0": chance.choice(targets)}
    if making.often(0.4):
        whole["silence"] = {"to": chance.choice(targets)}
    if making.often(0.5):
        whole["limits"] = {"max_visits": chance.randint(2, 6), "to": chance.choice(targets[:4])}
    if making.often(0.4):
        whole["error"] = chance.choice(targets)
    return {**whole, "nodes": making.nodes}


def _pay_somewhere(making: _Making, asides: list[str]) -> None:
    """Grants a payment on one node, so that there is something to prove."""
    talking = [id for id in making.ids[1:] if "instructions" in making.nodes[id]]
    talking = [id for id in talking if id not in asides]
    if talking:
        node = making.nodes[making.chance.choice(talking)]
        if not any(use["id"] == "take_payment" for use in node.get("tools", ())):
            node["tools"] = [*node.get("tools", ()), dict(TOOLS["pay"][1])]


def _prove_payments(making: _Making) -> None:
    """Lets every exit to a payment require the proof, and the payment's own node leave it alone.

    Ways that have no `requires` (a yes, a key, an aside that goes back) stay as chance has them.
    """
    paying = {
        id
        for id, node in making.nodes.items()
        if any(use["id"] == "take_payment" for use in node.get("tools", ()))
    }
    if paying and not any(_proves(node) for node in making.nodes.values()):
        needs, use = TOOLS["look_up"]
        making.nodes["n0"]["tools"] = [dict(use)]
        making.nodes["n0"]["collect"] = list(needs)
    for id, node in making.nodes.items():
        for edge in node.get("edges", ()):
            if edge["to"] in paying:
                edge["requires"] = sorted({*edge.get("requires", ()), "identity_verified"})
        for key in ("on_yes", "on_no"):
            if node.get(key) in paying:
                node[key] = "done"
        if id in paying:
            node["tools"] = [use for use in node["tools"] if use["id"] not in ("look_up", "forget")]
            node.pop("collect", None)
    # A call would begin with a payment that nothing has proven yet.
    if "n0" in paying:
        making.nodes["n0"]["tools"] = []


def _proves(node: dict[str, Any]) -> bool:
    said = [use for use in node.get("tools", ()) if use.get("with", {}).get("full_name") != UNSAID]
    return any(use["id"] in ("look_up", "trust") for use in said)


def _without_hopeless_facts(making: _Making) -> None:
    """Takes out, mostly, what waits for a fact that nothing in the flow establishes."""
    uses = [use for node in making.nodes.values() for use in node.get("tools", ())]
    known = {"payment_taken"} if any(use["id"] == "take_payment" for use in uses) else set()
    known |= {"identity_verified"} if any(map(_proves, making.nodes.values())) else set()
    known |= {"agreed"} if any("establishes" in node for node in making.nodes.values()) else set()
    for node in making.nodes.values():
        for edge in node.get("edges", ()):
            if making.often(0.03):
                continue
            facts = {"payment_taken", "identity_verified", "agreed"} - known
            kept = [name for name in edge.get("requires", ()) if name not in facts]
            edge.pop("requires", None)
            if kept:
                edge["requires"] = kept
            if any(f"facts.{fact}" in edge.get("if", "") for fact in facts):
                edge["if"] = "call.minutes < 20"
