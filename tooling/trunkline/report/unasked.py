"""What an answer at the desk did not look at, a line each: the gate looks at all of it.

An answer that is silent about it would be read as one about the whole call.
"""

from collections.abc import Iterator

from trunkline_runtime.policy.question import Question
from trunkline_runtime.policy.step_facts import DISCLOSED_EFFECTS

_LEDGER = "only the ledger of the running workers knows"


def unasked(question: Question) -> Iterator[str]:
    """The parts of a decision that this question left out, in the order in which the gate asks."""
    yield f"kill switches: {_LEDGER} (`trunkline-runtime kill list`)"
    if question.facts is None and question.effects:
        yield "facts: taken as proven; say with --fact which the call has"
    if question.disclosed is None and question.effects & DISCLOSED_EFFECTS:
        yield "disclosures: taken as spoken; say with --disclosed which were"
    if question.consents is None and question.contacts:
        yield "consents: taken as given; say with --consent which the person gave"
    if question.contacts and all(party.opted_out is None for party in question.parties):
        yield f"opt-outs: {_LEDGER} who asked not to be called again"
    if question.contacts and not any(party.history for party in question.parties):
        yield f"frequency: {_LEDGER} of earlier contacts; this answer assumes none"
    if question.effects:
        yield f"spend: {_LEDGER} what the caps have counted"
