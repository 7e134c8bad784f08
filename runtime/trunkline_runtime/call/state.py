"""The state of a call: all that it knows and did, typed, and JSON that a restart can read back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from trunkline_runtime.call.history import Said, ToolCall
from trunkline_runtime.call.known import Fact, SlotValue
from trunkline_runtime.call.path import Refusal, Step
from trunkline_runtime.call.spoken import Words
from trunkline_runtime.call.timing import Answered, Swapped
from trunkline_runtime.table.canonical import Json

FORMAT = "trunkline/call-state/v1"

# Whether something that must not be lost is on the ledger: it is; it waits on this machine's disk
# to be put there; or neither could be done.
Kept = Literal["yes", "pending", "no"]


@dataclass(frozen=True)
class PinnedTo:
    """Which release the call runs on: its tag, and the digest of its flow's node table."""

    tag: str
    digest: str


@dataclass
class Visit:
    """One stay on a node. What is counted per visit starts anew with the next one.

    `failed` maps a tool to how its last call in this visit failed. `asked` are slots asked for in
    their exact words. `questions` counts how often a confirm node put its question, `silences`
    how often the caller let the time run out. `once` maps a tool that is offered for a single
    generation to the length of the dialogue at that generation. `spoken` says that some fixed
    words of this visit were spoken. `typed` are the digits that were typed into a slot so far.
    """

    number: int
    node: str
    failed: dict[str, str] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    questions: int = 0
    silences: int = 0
    once: dict[str, int] = field(default_factory=dict)
    spoken: bool = False
    typed: dict[str, str] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {
            "number": self.number,
            "node": self.node,
            "failed": dict(self.failed),
            "asked": sorted(self.asked),
            "questions": self.questions,
            "silences": self.silences,
            "once": dict(self.once),
            "spoken": self.spoken,
            "typed": dict(self.typed),
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "Visit":
        return cls(**{**saved, "asked": set(saved["asked"])})


@dataclass
class CallState:
    """Everything about a call that is not code. It is the session's `userdata`.

    `party` is the other side's number in E.164. `consents` are those that the job brought,
    `disclosed` the disclosures that were spoken. `visits` counts the entries of each node, by
    `flow/node`; `calls` the calls of each tool use, by `flow/node/tool`. `host` is the node that
    an aside returns to. `ask_again` are slots that a correction asks for although they are set.
    `results` holds the last result of each tool, for choices that come from it. `words` wait to
    be spoken. `tick` counts changes; `changed` and `revoked` say at which tick a slot last
    changed and a call that revokes a fact last started. `failures` are the reasons for which the
    flow itself failed; `links` counts the flows that it left. `unsettled`: a result has come in
    and no move has been decided since. `limited`: the time was up and that has been acted on.
    `private` are values that no record may show. `suppressed`: the number is off the list, on
    disk. `closing`: the outcome is decided and only owed words are still said. `over`: nothing
    more is said or moved. `channel` is the channel of the tenant whose release the call took,
    `dial` how the dial of an outbound call went (see `record`), `trace` the id of its trace.
    `contact` and `opt_out` say whether these are on the ledger: see `Kept`. `answers` and `swaps`
    are timings, `usage` what its models used.
    """

    call_id: str
    tenant: str
    flow: str
    pin: PinnedTo
    direction: str
    language: str
    started: datetime
    visit: Visit
    party: str | None = None
    answered_by: str | None = None
    consents: set[str] = field(default_factory=set)
    disclosed: set[str] = field(default_factory=set)
    inputs: dict[str, Json] = field(default_factory=dict)
    slots: dict[str, SlotValue] = field(default_factory=dict)
    declined: set[str] = field(default_factory=set)
    ask_again: set[str] = field(default_factory=set)
    facts: dict[str, Fact] = field(default_factory=dict)
    results: dict[str, Json] = field(default_factory=dict)
    visits: dict[str, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    host: str | None = None
    words: list[Words] = field(default_factory=list)
    tick: int = 0
    changed: dict[str, int] = field(default_factory=dict)
    revoked: dict[str, int] = field(default_factory=dict)
    path: list[Step] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    history: list[Said] = field(default_factory=list)
    tools: list[ToolCall] = field(default_factory=list)
    private: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    links: int = 0
    outcome: str | None = None
    unsettled: bool = False
    limited: bool = False
    suppressed: bool = False
    closing: bool = False
    over: bool = False
    channel: str | None = None
    dial: dict[str, Json] | None = None
    trace: str | None = None
    contact: Kept | None = None
    opt_out: Kept | None = None
    answers: list[Answered] = field(default_factory=list)
    swaps: list[Swapped] = field(default_factory=list)
    usage: list[dict[str, Json]] = field(default_factory=list)

    @property
    def node(self) -> str:
        """The node that the call stands on."""
        return self.visit.node

    def to_json(self) -> dict[str, Json]:
        """A checkpoint. It holds what the caller said as it is: keep it as one keeps a secret."""
        return {
            "format": FORMAT,
            "call_id": self.call_id,
            "tenant": self.tenant,
            "flow": self.flow,
            "pin": {"tag": self.pin.tag, "digest": self.pin.digest},
            "direction": self.direction,
            "language": self.language,
            "started": self.started.isoformat(),
            "visit": self.visit.to_json(),
            "party": self.party,
            "answered_by": self.answered_by,
            "consents": sorted(self.consents),
            "disclosed": sorted(self.disclosed),
            "inputs": dict(self.inputs),
            "slots": {name: slot.to_json() for name, slot in self.slots.items()},
            "declined": sorted(self.declined),
            "ask_again": sorted(self.ask_again),
            "facts": {name: fact.to_json() for name, fact in self.facts.items()},
            "results": dict(self.results),
            "visits": dict(self.visits),
            "calls": dict(self.calls),
            "host": self.host,
            "words": [words.to_json() for words in self.words],
            "tick": self.tick,
            "changed": dict(self.changed),
            "revoked": dict(self.revoked),
            "path": [step.to_json() for step in self.path],
            "refusals": [refusal.to_json() for refusal in self.refusals],
            "history": [said.to_json() for said in self.history],
            "tools": [call.to_json() for call in self.tools],
            "private": sorted(self.private),
            "failures": list(self.failures),
            "links": self.links,
            "outcome": self.outcome,
            "unsettled": self.unsettled,
            "limited": self.limited,
            "suppressed": self.suppressed,
            "closing": self.closing,
            "over": self.over,
            "channel": self.channel,
            "dial": self.dial,
            "trace": self.trace,
            "contact": self.contact,
            "opt_out": self.opt_out,
            "answers": [answer.to_json() for answer in self.answers],
            "swaps": [swap.to_json() for swap in self.swaps],
            "usage": [dict(used) for used in self.usage],
        }

    @classmethod
    def from_json(cls, saved: Mapping[str, Any]) -> "CallState":
        """The state that `to_json` saved. Raises ValueError for another format."""
        if saved.get("format") != FORMAT:
            raise ValueError(f"this is not a {FORMAT}: its `format` says {saved.get('format')!r}")
        plain = {key: value for key, value in saved.items() if key != "format"}
        return cls(
            **{
                **plain,
                "pin": PinnedTo(**saved["pin"]),
                "started": datetime.fromisoformat(saved["started"]),
                "visit": Visit.from_json(saved["visit"]),
                "slots": {name: SlotValue.from_json(slot) for name, slot in saved["slots"].items()},
                "consents": set(saved["consents"]),
                "disclosed": set(saved["disclosed"]),
                "declined": set(saved["declined"]),
                "private": set(saved["private"]),
                "ask_again": set(saved["ask_again"]),
                "facts": {name: Fact.from_json(fact) for name, fact in saved["facts"].items()},
                "words": [Words.from_json(words) for words in saved["words"]],
                "path": [Step.from_json(step) for step in saved["path"]],
                "refusals": [Refusal.from_json(refusal) for refusal in saved["refusals"]],
                "history": [Said.from_json(said) for said in saved["history"]],
                "tools": [ToolCall.from_json(call) for call in saved["tools"]],
                "answers": [Answered.from_json(one) for one in saved.get("answers", [])],
                "swaps": [Swapped.from_json(one) for one in saved.get("swaps", [])],
            }
        )
