"""A simulated call over a node table, with a model, a caller and tools that do whatever they may.

The model calls every tool that its node grants, several at once, hands over any value for any slot
that its node collects, and asks for any exit, also for those that do not exist. The caller presses
keys, falls silent, says yes and no; tools answer anything that fits their schema, or fail.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from walk_state import VALUES, Json, Knowledge, Pending

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import Unset

TERMINALS = ("end", "transfer", "link")
MOST_STEPS = 2_000
MOST_SILENT = 60
_FIELD = re.compile(r"\{\{\s*slots\.(\w+)\s*\}\}")


class Broken(AssertionError):
    """The walk met what no accepted flow may show; the message says what and where."""


@dataclass
class Walk:
    """One call. `required` maps an effect to the facts that policy requires for it."""

    table: Mapping[str, Json]
    entries: Mapping[str, ToolEntry]
    required: Mapping[str, tuple[str, ...]]
    chance: Random
    facts_known: frozenset[str] = frozenset()
    node: str = ""
    host: str = ""
    path: list[str] = field(default_factory=list)
    visits: dict[str, int] = field(default_factory=dict)
    calls: dict[tuple[str, str], int] = field(default_factory=dict)
    ran: list[tuple[str, str]] = field(default_factory=list)
    over: str = ""
    failures: int = 0
    silent: int = 0

    def __post_init__(self) -> None:
        self.known = Knowledge(self.table, self.facts_known)
        # A model that stays on its node calls more of its tools; one that moves on skips them.
        self.patience = self.chance.choice((0.0, 0.3, 0.7))

    def run(self) -> str:
        """Walks to the end and returns what the call ended with. Raises Broken."""
        beginnings = [self.table["start"], *self.table.get("answer", {}).values()]
        self.enter(self.chance.choice(beginnings))
        for _ in range(MOST_STEPS):
            if self.over:
                return self.over
            self.step()
        raise Broken(f"no end after {MOST_STEPS} steps: … {self.path[-8:]}")

    @property
    def here(self) -> Mapping[str, Json]:
        node: Mapping[str, Json] = self.table["nodes"][self.node]
        return node

    def enter(self, target: str, edge: Mapping[str, Json] | None = None) -> None:
        """Goes to a node, or to where a limit sends the call instead; no edge counts then."""
        for _ in range(len(self.table["nodes"]) + 1):
            own = self.table["nodes"][target].get("limits", self.table.get("limits", {}))
            if self.visits.get(target, 0) < own.get("max_visits", 10):
                break
            edge, sent = None, own.get("to") or self.table.get("limits", {}).get("to")
            if sent is None or sent == target:
                self.over = "abandoned"
                return
            target = sent
        else:
            self.over = "abandoned"
            return
        for slot in (edge or {}).get("clears", ()):
            self.known.unset(slot)
        from_aside = self.node != "" and self.here.get("return", False)
        into_aside = self.table["nodes"][target].get("return", False)
        if into_aside and not from_aside:
            self.host = self.node
        self.node = target
        self.path.append(target)
        self.visits[target] = self.visits.get(target, 0) + 1
        self.known.visits = self.visits[target]
        self.known.failed.clear()
        self._say("say", "instructions")
        kind = self.here.get("kind", "talk")
        if kind == "end":
            self.over = self.here["outcome"]

    def _say(self, *keys: str) -> None:
        """Every slot in words that are spoken is set."""
        for key in keys:
            for slot in _FIELD.findall(self.here.get(key, "")):
                if slot not in self.known.slots:
                    raise Broken(f"{self.node} says {slot}, which is not set: {self.path}")

    def step(self) -> None:
        self.known.minutes += self.chance.choice((0, 0, 0, 1))
        kind = self.here.get("kind", "talk")
        if kind == "transfer":
            if self.chance.random() < 0.5:
                self.over = "transferred"
            else:
                self.enter(self.here["on_failure"])
        elif kind == "link":
            self.over = "linked"
        elif kind == "confirm":
            self.silent = 0
            self._confirm()
        elif kind == "route" or self._automatic():
            self._go_on_alone()
        else:
            self.silent = 0
            self._talk()

    def _automatic(self) -> Mapping[str, Json] | None:
        """The exit that the runtime takes by itself, once everything is collected."""
        slots = self.table.get("slots", {})
        for slot in self.here.get("collect", ()):
            declined = slots[slot].get("optional", False) and slot in self.known.declined
            if slot not in self.known.slots and not declined:
                return None
        edges = [*self.here.get("edges", ()), *self.table.get("anywhere", ())]
        own = (edge for edge in edges if "when" not in edge)
        return next((edge for edge in own if self.known.holds(edge)), None)

    def _go_on_alone(self) -> None:
        self.silent += 1
        if self.silent > MOST_SILENT:
            raise Broken(f"a loop without the caller: … {self.path[-8:]}")
        if self.here.get("kind") == "route":
            self._route()
        else:
            edge = self._automatic()
            assert edge is not None
            self.enter(edge["to"], edge)

    def _route(self) -> None:
        for edge in self.here["edges"]:
            if edge.get("else") or self.known.holds(edge):
                self.enter(edge["to"], edge)
                return
        raise Broken(f"{self.node} leads nowhere: {self.path}")

    def _confirm(self) -> None:
        if self._disturbed(0.1):
            return
        answer = self.chance.choice(("on_yes", "on_no", "on_unclear"))
        if answer == "on_yes":
            rests = frozenset(_FIELD.findall(self.here["say"]))
            for fact in self.here.get("establishes", ()):
                self.known.facts[fact] = rests
        self.enter(self.here[answer])

    def _disturbed(self, share: float) -> bool:
        """A key, silence, a fault of the flow, or too long a call."""
        if self.chance.random() >= share:
            return False
        talk = self.here.get("kind", "talk") == "talk"
        ways = list(self.table.get("keys", {}).values())
        silence = self.here.get("silence", self.table.get("silence", {})).get("to")
        if talk:
            ways += [*self.here.get("keys", {}).values(), *([silence] if silence else [])]
        if "to" in self.table.get("limits", {}) and self.known.minutes > 20:
            ways.append(self.table["limits"]["to"])
        if "error" in self.table and not self.failures:
            self.failures += 1
            ways.append(self.table["error"])
        if not ways:
            return False
        self.enter(self.chance.choice(ways))
        return True

    def _talk(self) -> None:
        """One batch of the model: tools start, slots are handed over, results come, then moves."""
        if self._disturbed(0.08):
            return
        running = [*self._started(), *self._started()]
        self._collect()
        running += self._started()
        self.chance.shuffle(running)
        for pending in running:
            if self.chance.random() < 0.15:
                self._collect()
            self.known.settle(pending, self._result(pending))
        if self._automatic() is None and self.chance.random() >= self.patience:
            self._move()

    def _started(self) -> list[Pending]:
        """A tool of the node that starts now. It must be granted here, and its facts be proven."""
        offered = [use for use in self.here.get("tools", ()) if self._is_offered(use)]
        if not offered or self.chance.random() < 0.4:
            return []
        use = self.chance.choice(offered)
        entry = self.entries[use["id"]]
        for effect in entry.effects:
            for fact in self.required.get(effect, ()):
                if fact not in self.known.facts:
                    raise Broken(f"{use['id']} starts on {self.node} without {fact}: {self.path}")
        place = (self.node, use["id"])
        self.calls[place] = self.calls.get(place, 0) + 1
        self.ran.append(place)
        return [self.known.start(use, entry, self.chance)]

    def _is_offered(self, use: Mapping[str, Json]) -> bool:
        if self.calls.get((self.node, use["id"]), 0) >= use.get("max_calls", 3):
            return False
        if "if" in use and not self.known.expression(use["if"]).holds(self.known.values()):
            return False
        try:
            for bound in use.get("with", {}).values():
                if isinstance(bound, str):
                    self.known.expression(bound).value(self.known.values())
        except Unset as unset:
            own = {f"slots.{slot}" for slot in self.here.get("collect", ())}
            own |= {
                f"slots.{slot}" for other in self.here["tools"] for slot in other.get("sets", ())
            }
            if unset.name not in own:
                raise Broken(
                    f"{use['id']} on {self.node} reads {unset.name}: {self.path}"
                ) from None
            return False
        return True

    def _result(self, pending: Pending) -> Mapping[str, Json] | None:
        if self.chance.random() < 0.15:
            return None
        result: dict[str, Any] = {}
        for name, schema in pending.entry.result.get("properties", {}).items():
            kind = schema.get("type")
            if "enum" in schema:
                # Mostly the best answer: a proof that is never given cannot be lost.
                best = self.chance.random() < 0.7
                result[name] = schema["enum"][0] if best else self.chance.choice(schema["enum"])
            elif kind == "boolean":
                result[name] = self.chance.random() < 0.7
            elif kind == "number":
                result[name] = self.chance.choice((0.0, 12.5))
            elif kind == "array":
                result[name] = []
            else:
                result[name] = self.chance.choice(("succeeded", "A-1", "A-2"))
        return result

    def _collect(self) -> None:
        for slot in self.here.get("collect", ()):
            declared = self.table["slots"][slot]
            if declared.get("optional") and self.chance.random() < 0.3:
                self.known.unset(slot)
                self.known.declined.add(slot)
            elif self.chance.random() < (0.15 if slot in self.known.slots else 0.8):
                self.known.set(slot, self.chance.choice(VALUES[declared["type"]]))

    def _move(self) -> None:
        """The model asks for an exit; the first edge to it that holds is taken."""
        edges = [*self.here.get("edges", ()), *self.table.get("anywhere", ())]
        offered = [edge["to"] for edge in edges if "when" in edge]
        if self.here.get("return"):
            offered.append("back")
        if self.chance.random() < 0.1:
            offered = ["nowhere", *self.table["nodes"]]
        wish = self.chance.choice(offered or ["nowhere"])
        if wish not in offered or (wish == "back" and not self.here.get("return")):
            return
        if wish == "back":
            self.enter(self.host)
            return
        for edge in edges:
            if "when" in edge and edge["to"] == wish and self.known.holds(edge):
                self.enter(wish, edge)
                return
