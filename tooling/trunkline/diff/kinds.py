"""Every kind of change: its id, its area, the rule for its level, and the kind that undoes it.

A kind has a level of its own and may be raised by circumstances (CIRCUMSTANCES). The mirror of
a kind is what the same comparison gives the other way round: added and removed, tightened and
loosened; a change that stays a change when it is turned round mirrors itself.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from trunkline.diff.level import Level

INFO, RISKY, BREAKING = Level.INFO, Level.RISKY, Level.BREAKING

AREAS = (
    *("flow", "node", "edge", "speech", "slot", "fact", "tool"),
    *("catalogue", "policy", "tenant", "channel"),
)

# What may raise a level, as a reader of the comment is told.
CIRCUMSTANCES: Mapping[str, str] = {
    "proof": "what was proven of flows rests on it",
    "mandatory": "the rule is mandatory",
    "payment": "it leads to a payment",
    "transfer": "it leads to a transfer",
    "tools": "it brings tools",
    "unproven": "a fact that the tool requires is not proven there",
    "restriction": "the words hold the model back, or name a number",
    "unmatched": "no change here has that fingerprint: a later one would be let through unseen",
    "used": "flows use this entry of the catalogue",
    "shared": "it comes from a shared flow, which other flows use too",
}


@dataclass(frozen=True)
class Kind:
    """A kind of change. `mirror` is the id of the kind that undoes it."""

    id: str
    area: str
    level: Level
    mirror: str
    raised: Mapping[str, Level] = field(default_factory=dict)

    def level_in(self, circumstances: Iterable[str]) -> Level:
        """The level where these circumstances hold; whatever a shared flow changes is risky."""
        raised = {"shared": RISKY, **self.raised}
        return max([self.level, *(raised.get(name, INFO) for name in circumstances)])


def _pair(area: str, first: tuple[str, Level], second: tuple[str, Level], **raised: Level) -> None:
    """Two kinds that undo each other; `raised` counts for both."""
    for (id, level), (mirror, _) in ((first, second), (second, first)):
        _register(Kind(id, area, level, mirror, raised))


def _same(area: str, id: str, level: Level, **raised: Level) -> None:
    """A kind that is undone by another change of its own kind."""
    _register(Kind(id, area, level, id, raised))


def _raise(id: str, **raised: Level) -> None:
    """Raises one kind of a pair only."""
    kind = KINDS[id]
    KINDS[id] = Kind(kind.id, kind.area, kind.level, kind.mirror, {**kind.raised, **raised})


def _register(kind: Kind) -> None:
    if kind.id in KINDS:
        raise ValueError(f"the kind {kind.id} is registered twice")
    KINDS[kind.id] = kind


KINDS: dict[str, Kind] = {}

_pair("flow", ("flow-added", INFO), ("flow-removed", BREAKING), tools=RISKY, transfer=RISKY)
_pair("flow", ("flow-unreadable", RISKY), ("flow-readable", RISKY))
_same("flow", "flow-renamed", RISKY)
_same("flow", "direction-changed", RISKY)
_same("flow", "purpose-changed", RISKY)
_same("flow", "language-changed", RISKY)
_same("flow", "start-changed", RISKY)
_same("flow", "silence-changed", INFO)
_same("flow", "flow-setting-changed", INFO)
_pair("flow", ("limits-raised", RISKY), ("limits-lowered", INFO))
_pair("flow", ("worst-case-spend-grown", RISKY), ("worst-case-spend-shrunk", INFO))
_pair("flow", ("outcome-lost", BREAKING), ("outcome-gained", INFO))
_pair("flow", ("opt-out-removed", BREAKING), ("opt-out-added", INFO))

_pair("node", ("node-added", INFO), ("node-removed", INFO))
_raise("node-added", payment=RISKY, transfer=RISKY)
_same("node", "node-renamed", INFO)
_same("node", "node-kind-changed", RISKY)
_same("node", "outcome-changed", INFO)
_same("node", "transfer-number-changed", RISKY)
_same("node", "transfer-changed", INFO)
_same("node", "link-changed", RISKY)
_same("node", "history-changed", INFO)
_same("node", "confirm-times-changed", INFO)
_same("node", "node-setting-changed", INFO)
_pair("node", ("collect-added", INFO), ("collect-removed", INFO))
_pair("node", ("aside-added", INFO), ("aside-removed", INFO))

_pair("edge", ("edge-added", INFO), ("edge-removed", INFO))
_raise("edge-added", payment=RISKY, transfer=RISKY)
_same("edge", "edge-retargeted", INFO, payment=RISKY, transfer=RISKY)
_same("edge", "when-changed", RISKY)
_pair("edge", ("guard-added", INFO), ("guard-removed", RISKY))
_pair("edge", ("guard-strengthened", INFO), ("guard-weakened", RISKY))
_same("edge", "guard-changed", RISKY)
_pair("edge", ("route-opened", RISKY), ("route-closed", INFO))
_same("edge", "edge-order-changed", RISKY)
_same("edge", "offer-order-changed", INFO)
_pair("edge", ("clears-added", INFO), ("clears-removed", INFO))
_pair("edge", ("correction-added", INFO), ("correction-removed", INFO))

_pair("speech", ("say-added", INFO), ("say-removed", RISKY))
_same("speech", "say-changed", INFO, restriction=RISKY)
_same("speech", "confirm-words-changed", RISKY)
_pair("speech", ("instructions-added", INFO), ("instructions-removed", RISKY))
_pair("speech", ("sentence-added", INFO), ("sentence-removed", RISKY))
_raise("instructions-added", restriction=RISKY)
_raise("sentence-added", restriction=RISKY)
_same("speech", "sentence-replaced", RISKY)
_same("speech", "restriction-changed", RISKY)
_same("speech", "instructions-reworded", INFO)
_pair("speech", ("disclosure-added", INFO), ("disclosure-removed", BREAKING))
_pair("speech", ("disclosure-skipped", BREAKING), ("disclosure-heard", INFO))
_same("speech", "disclosure-order-changed", INFO)

_pair("slot", ("slot-added", INFO), ("slot-removed", INFO))
_pair("slot", ("input-added", INFO), ("input-removed", INFO))
_same("slot", "slot-type-changed", RISKY)
_same("slot", "slot-values-changed", INFO)
_same("slot", "slot-description-changed", INFO)
_pair("slot", ("slot-made-optional", INFO), ("slot-made-required", INFO))
_pair("slot", ("pii-mark-removed", RISKY), ("pii-mark-added", INFO))

_pair("fact", ("proof-lost", BREAKING), ("proof-gained", INFO))
_pair("fact", ("fact-declared", INFO), ("fact-undeclared", INFO))
_pair("fact", ("fact-confirm-allowed", RISKY), ("fact-confirm-refused", INFO))
_raise("fact-confirm-refused", proof=BREAKING)
_same("fact", "fact-description-changed", INFO)
_pair("fact", ("confirm-establishes-added", RISKY), ("confirm-establishes-removed", INFO))

_pair("tool", ("tool-granted", RISKY), ("tool-revoked", INFO))
_raise("tool-granted", unproven=BREAKING)
_pair("tool", ("argument-freed", RISKY), ("argument-bound", INFO))
_same("tool", "argument-changed", RISKY)
_same("tool", "sets-changed", INFO)
_pair("tool", ("max-calls-raised", INFO), ("max-calls-lowered", INFO))
_pair("tool", ("once-lifted", INFO), ("once-set", INFO))
_same("tool", "tool-order-changed", INFO)

_pair("catalogue", ("catalogue-unreadable", RISKY), ("catalogue-readable", RISKY))
_pair("catalogue", ("entry-added", INFO), ("entry-removed", INFO), used=RISKY)
_pair("catalogue", ("effect-added", RISKY), ("effect-removed", RISKY))
_raise("effect-removed", proof=BREAKING)
_pair("catalogue", ("establishes-added", RISKY), ("establishes-removed", RISKY), proof=BREAKING)
_same("catalogue", "establishes-changed", RISKY, proof=BREAKING)
_pair("catalogue", ("revokes-added", RISKY), ("revokes-removed", RISKY), proof=BREAKING)
_pair("catalogue", ("spoken-added", RISKY), ("spoken-removed", RISKY), proof=BREAKING)
_same("catalogue", "subject-changed", RISKY, proof=BREAKING)
_pair("catalogue", ("cost-raised", RISKY), ("cost-lowered", RISKY))
_same("catalogue", "cost-changed", RISKY)
_same("catalogue", "parameters-changed", INFO, used=RISKY)
_same("catalogue", "result-changed", INFO, used=RISKY)
_same("catalogue", "tool-description-changed", INFO, used=RISKY)
_same("catalogue", "tool-timing-changed", INFO, used=RISKY)
_same("catalogue", "run-changed", INFO, used=RISKY)
_same("catalogue", "connection-changed", INFO, used=RISKY)
_same("catalogue", "entry-setting-changed", INFO, used=RISKY)
_pair("catalogue", ("outcome-declared", INFO), ("outcome-undeclared", INFO))
_pair("catalogue", ("suppression-lowered", BREAKING), ("suppression-raised", INFO))
_same("catalogue", "outcome-description-changed", INFO)

_pair("policy", ("rule-added", INFO), ("rule-removed", BREAKING))
_raise("rule-added", mandatory=RISKY)
_pair("policy", ("rule-loosened", BREAKING), ("rule-tightened", INFO), mandatory=BREAKING)
_same("policy", "rule-changed", BREAKING)
_same("policy", "rule-reworded", INFO)
_pair("policy", ("policy-unreadable", RISKY), ("policy-readable", RISKY))
_pair("policy", ("document-added", INFO), ("document-removed", BREAKING))
_same("policy", "document-changed", BREAKING)
_pair("policy", ("disclosure-text-added", INFO), ("disclosure-text-removed", BREAKING))
_same("policy", "disclosure-text-changed", RISKY)
_pair("policy", ("list-refreshed", INFO), ("list-set-back", RISKY))
_pair("policy", ("country-opened", BREAKING), ("country-closed", INFO))
_pair("policy", ("purpose-declared", INFO), ("purpose-undeclared", INFO))
_pair("policy", ("purpose-granted", BREAKING), ("purpose-withdrawn", INFO))
_pair("policy", ("consent-recorded", BREAKING), ("consent-withdrawn", INFO))
_pair("policy", ("exception-added", BREAKING), ("exception-removed", INFO))
_pair("policy", ("exception-extended", BREAKING), ("exception-shortened", INFO))
_same("policy", "exception-changed", INFO)
_pair("policy", ("acceptance-added", INFO), ("acceptance-removed", INFO))
_raise("acceptance-added", unmatched=RISKY)
_same("policy", "acceptance-changed", INFO)

_pair("tenant", ("tenant-unreadable", RISKY), ("tenant-readable", RISKY))
_pair("tenant", ("tenant-added", INFO), ("tenant-removed", BREAKING))
_same("tenant", "display-name-changed", INFO)
_same("tenant", "timezone-changed", RISKY)
_same("tenant", "hours-changed", INFO)
_pair("tenant", ("connection-added", INFO), ("connection-removed", RISKY))
_same("tenant", "connection-setting-changed", RISKY)
_pair("tenant", ("number-added", INFO), ("number-removed", RISKY))
_same("tenant", "number-changed", RISKY)
_pair("tenant", ("inbound-added", INFO), ("inbound-removed", RISKY))
_same("tenant", "inbound-changed", RISKY)
_same("tenant", "voice-changed", RISKY)
_pair("tenant", ("var-added", INFO), ("var-removed", INFO))
_same("tenant", "var-changed", INFO)
_same("tenant", "tenant-setting-changed", INFO)

_pair("channel", ("channel-added", RISKY), ("channel-removed", RISKY))
_same("channel", "channel-moved", RISKY)
_pair("channel", ("channel-widened", RISKY), ("channel-narrowed", INFO))
