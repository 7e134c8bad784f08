"""Why a change is not harmless: a clause for each kind, and for what may raise its level."""

from collections.abc import Collection, Mapping

from trunkline.diff.kinds import CIRCUMSTANCES, Kind
from trunkline.diff.level import Level

_UNREAD = "what cannot be read on both sides cannot be compared"
_CANNOT_TELL = "nobody can tell whether it still holds back all that it did"
_NOT_OWED = "callers are owed these words"
_FEWER_RULES = "the policy holds back less than before"
_OTHER_PROOF = "the fact is established, or lost, in other cases than before"
_OTHER_PEOPLE = "callers reach somebody else"
_OTHER_RELEASE = "calls run on another release"
_OTHER_POLICY = "other rules of the policy hold for such calls"

# For every kind that is risky or breaking by itself.
REASONS: Mapping[str, str] = {
    "flow-removed": "whoever reached the flow is left without it",
    "flow-unreadable": _UNREAD,
    "flow-readable": _UNREAD,
    "flow-renamed": "a job or a number that names the old one starts no call",
    "direction-changed": _OTHER_POLICY,
    "purpose-changed": _OTHER_POLICY,
    "language-changed": "all that is heard, disclosures included, is in other words",
    "start-changed": "calls may miss what all of them passed at their start",
    "limits-raised": "calls may last longer and cost more",
    "worst-case-spend-grown": "a call may cost more",
    "outcome-lost": "nothing that counts on the outcome will see it again",
    "opt-out-removed": "everybody who is called is owed a way off the list",
    "node-kind-changed": "another kind of node listens and decides in another way",
    "transfer-number-changed": _OTHER_PEOPLE,
    "link-changed": "the call goes on in another way",
    "when-changed": "the model decides by these words alone",
    "guard-removed": "nothing holds calls back there any more",
    "guard-weakened": "less holds calls back there than before",
    "guard-changed": _CANNOT_TELL,
    "route-opened": "calls can get round what all of them passed",
    "edge-order-changed": "calls may take another way where two exits hold",
    "say-removed": "nothing is said in its place",
    "confirm-words-changed": "a yes to these words is a consent",
    "instructions-removed": "nothing tells the model what it must not do there",
    "sentence-removed": "nothing tells the model so any more",
    "sentence-replaced": "a sentence that went may have held the model back",
    "restriction-changed": "such a word can turn a sentence round",
    "disclosure-removed": _NOT_OWED.replace("these words", "it"),
    "disclosure-skipped": _NOT_OWED.replace("these words", "it"),
    "slot-type-changed": "conditions and tools read it as what it was",
    "pii-mark-removed": "it is personal data of a caller",
    "proof-lost": "it held on every path before, and now a path is open without it",
    "fact-confirm-allowed": "a yes is less than what a tool finds out",
    "confirm-establishes-added": "a yes now opens what asks for the fact",
    "tool-granted": "the agent can do more than before",
    "argument-freed": "a model may choose a wrong value",
    "argument-changed": "the tool acts on something else",
    "catalogue-unreadable": _UNREAD,
    "catalogue-readable": _UNREAD,
    "effect-added": "the policy judges a tool by its effects",
    "effect-removed": "the policy asks nothing for an effect that is not written",
    "establishes-added": _OTHER_PROOF,
    "establishes-removed": _OTHER_PROOF,
    "establishes-changed": _OTHER_PROOF,
    "revokes-added": _OTHER_PROOF,
    "revokes-removed": _OTHER_PROOF,
    "spoken-added": _OTHER_PROOF,
    "spoken-removed": _OTHER_PROOF,
    "subject-changed": _OTHER_PROOF,
    "cost-raised": "each call that uses it may cost more",
    "cost-lowered": "caps on spend let more calls of it through",
    "cost-changed": "nobody can tell whether calls cost more",
    "suppression-lowered": "people who were spared may be called again",
    "rule-removed": _FEWER_RULES,
    "rule-loosened": _FEWER_RULES,
    "rule-changed": _CANNOT_TELL,
    "policy-unreadable": _UNREAD,
    "policy-readable": _UNREAD,
    "document-removed": _FEWER_RULES,
    "document-changed": _CANNOT_TELL,
    "disclosure-text-removed": _NOT_OWED,
    "disclosure-text-changed": _NOT_OWED,
    "list-set-back": "people who put themselves on the list since then may be called",
    "country-opened": "nobody there could be called before",
    "purpose-granted": "calls may be about something that they could not be about",
    "consent-recorded": "calls that need the consent are let through",
    "exception-added": "a rule of the policy does not hold there",
    "exception-extended": "a rule of the policy does not hold there for longer",
    "tenant-unreadable": _UNREAD,
    "tenant-readable": _UNREAD,
    "tenant-removed": "none of its numbers is answered and none of its calls is made",
    "timezone-changed": "opening hours are read in it",
    "connection-removed": "tools of that system cannot run",
    "connection-setting-changed": "tools of that system may reach another one",
    "number-removed": "a flow that puts calls through to it cannot",
    "number-changed": _OTHER_PEOPLE,
    "inbound-removed": "whoever dials it reaches nobody now",
    "inbound-changed": "whoever dials it meets another flow",
    "voice-changed": "calls are heard, understood or answered by something else",
    "channel-added": _OTHER_RELEASE,
    "channel-removed": _OTHER_RELEASE,
    "channel-moved": _OTHER_RELEASE,
    "channel-widened": _OTHER_RELEASE,
}


def reason(kind: Kind, level: Level, circumstances: Collection[str]) -> str:
    """Why a change of this kind has this level, as a clause; empty for `info`.

    What raised the level is the reason, and else the kind itself; what a shared flow changes, it
    changes in every flow that uses it.
    """
    if level is Level.INFO:
        return ""
    if level > kind.level:
        raised = {"shared": Level.RISKY, **kind.raised}
        for name, told in CIRCUMSTANCES.items():
            if name in circumstances and raised.get(name, Level.INFO) >= level:
                return told
    everywhere = ", in every flow that uses this one" if "shared" in circumstances else ""
    return f"{REASONS[kind.id]}{everywhere}"
