"""What the record keeps of a decision: who, what, by which rules. Private values only as tokens."""

from collections.abc import Iterable, Mapping

from trunkline_runtime.gate.cost import Amount
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.ledger.expiry import Expiry
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.recipients import Recipient
from trunkline_runtime.gate.request import ContactRecord, DialRequest, OptOut, ToolRequest
from trunkline_runtime.policy.clock import instant_text
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.table.canonical import Json, canonical_bytes

VERSION = 1


def tool_record(
    request: ToolRequest,
    decision: Decision,
    reached: Iterable[Recipient],
    cost: Amount | None,
    lists: Iterable[DoNotCallList],
    sequence: int | None,
    key: NumberKey,
) -> dict[str, Json]:
    """One decision about a tool. Arguments are tokens, but for those that a schema enumerates."""
    entry = request.tool
    return {
        "kind": "tool",
        **_common(request, decision, sequence, lists),
        "node": request.node,
        "tool": request.tool_id,
        "entry": entry.digest if entry is not None else None,
        "attempt": decision.attempt,
        "args": {name: _shown(request, name, key) for name in sorted(request.args)},
        "bound": sorted(request.bound),
        "facts": sorted(request.facts),
        "subject": _token(request.subject, key),
        "party": _token(request.party, key),
        "reached": sorted(key.token(recipient.number) for recipient in reached),
        "cost": None if cost is None else {"micros": cost.micros, "currency": cost.currency},
    }


def dial_record(
    request: DialRequest,
    decision: Decision,
    lists: Iterable[DoNotCallList],
    sequence: int | None,
    key: NumberKey,
) -> dict[str, Json]:
    """One decision about a dial."""
    return {
        "kind": "dial",
        **_common(request, decision, sequence, lists),
        "subject": _token(request.subject, key),
        "party": _token(request.party, key),
        "consents": sorted(request.consents),
    }


def settled_record(
    decision: Decision, ending: Ending, micros: int | None, changed: bool
) -> dict[str, Json]:
    """How a tool ended that was allowed."""
    return {
        "kind": "settled",
        "decision": decision.id,
        "attempt": decision.attempt,
        "ending": ending,
        "micros": micros,
        "counted": changed,
    }


def expired_record(expiry: Expiry) -> dict[str, Json]:
    """A hold that nobody settled in time: its worst case counts as spent. A line may come twice."""
    cost: Json = {"micros": expiry.micros, "currency": expiry.currency}
    return {
        "kind": "expired",
        "at": instant_text(expiry.at),
        "decision": expiry.decision,
        "attempt": expiry.attempt,
        "call": expiry.call,
        "tenant": expiry.tenant,
        "tool": expiry.tool,
        "cost": None if expiry.currency is None else cost,
    }


def opt_out_record(opt_out: OptOut, key: NumberKey) -> dict[str, Json]:
    """A number that was put on the internal list."""
    return {
        "kind": "opt_out",
        "at": instant_text(opt_out.now),
        "call": opt_out.call_id,
        "tenant": opt_out.tenant,
        "scope": opt_out.scope,
        "source": opt_out.source,
        "party": key.token(opt_out.number),
    }


def contact_record(contact: ContactRecord, key: NumberKey) -> dict[str, Json]:
    """A contact that frequency caps count."""
    return {
        "kind": "contact",
        "at": instant_text(contact.now),
        "call": contact.call_id,
        "tenant": contact.tenant,
        "contact": contact.kind,
        "subject": _token(contact.subject, key),
        "party": key.token(contact.number),
    }


def _common(
    request: ToolRequest | DialRequest,
    decision: Decision,
    sequence: int | None,
    lists: Iterable[DoNotCallList],
) -> dict[str, Json]:
    return {
        "version": VERSION,
        "id": decision.id,
        "at": instant_text(request.now),
        "call": request.call_id,
        "tenant": request.tenant,
        "flow": request.flow,
        "pin": request.pin_digest,
        "purpose": request.purpose,
        "voice": request.voice,
        "decision": "allow" if decision.allowed else "deny",
        "rules": list(decision.rules),
        "reasons": [
            {"kind": reason.kind, "rule": reason.rule, "message": reason.message}
            for reason in decision.reasons
        ],
        "zones": list(decision.zones),
        "next_allowed": (
            None if decision.next_allowed is None else instant_text(decision.next_allowed)
        ),
        "policy": decision.policy_digest,
        "policy_sequence": sequence,
        "tzdata": decision.tzdata_version,
        "lists": {rule.id: rule.sha256 for rule in lists if rule.id in decision.rules},
    }


def _shown(request: ToolRequest, name: str, key: NumberKey) -> Json:
    value = request.args[name]
    parameters = request.tool.parameters if request.tool is not None else {}
    declared = parameters.get("properties", {}).get(name, {})
    # What the catalogue itself lists says nothing about the person that the entry does not.
    if isinstance(declared, Mapping) and value in declared.get("enum", ()):
        return value
    return key.token(canonical_bytes(value).decode())


def _token(value: str | None, key: NumberKey) -> str | None:
    return None if value is None else key.token(value)
