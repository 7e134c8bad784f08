"""One question to every step in order: what the gate knows, the policy's verdict, the ledger."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from trunkline_runtime.gate.asked import Asked, asked_of
from trunkline_runtime.gate.claiming import claimed
from trunkline_runtime.gate.decision import Decision
from trunkline_runtime.gate.ledger import Ledger, Transaction
from trunkline_runtime.gate.outcome import Against, Outcome, denied
from trunkline_runtime.gate.recipients import Recipient
from trunkline_runtime.gate.request import ContactRecord, DialRequest, ToolRequest
from trunkline_runtime.gate.standing_rules import Standing, StandingRules
from trunkline_runtime.gate.waited import Waited
from trunkline_runtime.policy.clock import TZDATA_VERSION
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.question import Lists, Party, Question
from trunkline_runtime.policy.verdict import Reason, Verdict
from trunkline_runtime.table.canonical import Json


def ask_tool(
    request: ToolRequest, id: str, standing: StandingRules, ledger: Ledger, lists: Lists
) -> Outcome:
    """Whether a tool may run. If so its attempt is claimed and its worst case reserved.

    What needs nothing of the ledger is worked out before its turn comes, so that others wait for
    less. Raises LedgerDown, or whatever the policy of the moment raises: the gate then denies.
    """
    asked = asked_of(request, standing, lists)
    try:
        with ledger.transaction() if asked.takes else ledger.asking() as transaction:
            return _ask_tool(asked, id, transaction)
    except Against as said_no:
        return said_no.outcome


def ask_dial(
    request: DialRequest,
    id: str,
    standing: StandingRules,
    ledger: Ledger,
    lists: Lists,
    waited: Waited,
) -> Outcome:
    """Whether a number may be dialled. If so the contact is counted. Raises as `ask_tool` does.

    The instant is taken when the ledger's turn has come: a window may have closed meanwhile.
    """
    try:
        with ledger.transaction() as transaction:
            transaction.lock_number(request.party)
            request = replace(request, now=waited.since(request.now))
            outcome = _ask_dial(request, id, standing, transaction, lists)
    except Against as said_no:
        outcome = said_no.outcome
    return replace(outcome, at=request.now)


def _ask_tool(asked: Asked, id: str, transaction: Transaction) -> Outcome:
    request = asked.request
    against = _killed(transaction, request.tenant, request.flow, request.tool_id) or asked.own
    if against is not None:
        raise Against(denied(id, against))
    holds, question = asked.holds, asked.question
    assert holds is not None  # nothing was against the request itself
    assert question is not None
    verdict = asked.verdict
    if verdict is None:
        parties = _parties(request, asked.contacted, transaction)
        question = replace(question, parties=parties)
        verdict = judge(holds.rules, question)
    outcome = Outcome(
        _decision(id, verdict, holds, request.attempt),
        asked.reached,
        lists=holds.rules.lists or (),
        sequence=holds.sequence,
    )
    if not verdict.allowed:
        raise Against(outcome)
    outcome = claimed(outcome, request, holds, question, transaction)
    for recipient in asked.contacted:
        # What reaches the person within a call belongs to the contact that the call is.
        if not transaction.contacted(request.tenant, request.call_id, recipient.number):
            transaction.add_contact(_contact(request, recipient.number))
    return outcome


def _ask_dial(
    request: DialRequest,
    id: str,
    standing: StandingRules,
    transaction: Transaction,
    lists: Lists,
) -> Outcome:
    killed = _killed(transaction, request.tenant, request.flow, None)
    if killed is not None:
        raise Against(denied(id, killed))
    holds = standing.of(request.tenant)
    question = Question(
        tenant=request.tenant,
        purpose=request.purpose,
        now=request.now,
        flow=request.flow,
        voice=request.voice,
        dial=True,
        parties=(
            # A number that is dialled again within one call has been dialled twice.
            _party(request.party, request.address, request.tenant, None, transaction),
        ),
        subject=request.subject,
        facts=frozenset(),
        consents=request.consents,
        lists=lists,
    )
    verdict = judge(holds.rules, question)
    outcome = Outcome(
        _decision(id, verdict, holds, ""),
        lists=holds.rules.lists or (),
        sequence=holds.sequence,
    )
    if not verdict.allowed:
        raise Against(outcome)
    transaction.add_contact(_contact(request, request.party))
    return outcome


def _contact(request: ToolRequest | DialRequest, number: str) -> ContactRecord:
    return ContactRecord(
        request.call_id, request.tenant, number, request.now, "attempt", request.subject
    )


def _killed(transaction: Transaction, tenant: str, flow: str, tool: str | None) -> Reason | None:
    for switch in transaction.switches(tenant, flow, tool):
        return Reason("kill_switch", switch.id, f"stopped: {switch.reason}")
    return None


def _parties(
    request: ToolRequest, contacted: Sequence[Recipient], transaction: Transaction
) -> tuple[Party, ...]:
    return tuple(
        _party(
            recipient.number,
            request.address if recipient.number == request.party else None,
            request.tenant,
            request.call_id,
            transaction,
        )
        for recipient in sorted(contacted, key=lambda recipient: recipient.number)
    )


def _party(
    number: str,
    address: Mapping[str, Json] | None,
    tenant: str,
    without_call: str | None,
    transaction: Transaction,
) -> Party:
    transaction.lock_number(number)
    return Party(
        number,
        address,
        transaction.history(number, tenant, without_call),
        transaction.opted_out(number, tenant),
    )


def _decision(id: str, verdict: Verdict, holds: Standing, attempt: str) -> Decision:
    return Decision(
        id=id,
        allowed=verdict.allowed,
        rules=verdict.rules,
        reasons=verdict.reasons,
        zones=verdict.zones,
        next_allowed=verdict.next_allowed,
        policy_digest=holds.digest,
        tzdata_version=TZDATA_VERSION,
        attempt=attempt,
    )
