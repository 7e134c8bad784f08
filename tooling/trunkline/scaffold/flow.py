"""A new flow: it greets, asks what the caller needs, and can hand over to a human."""

from collections.abc import Iterator

from trunkline.model.policy import Policy
from trunkline.model.repository import Repository
from trunkline_runtime.policy.scope import Scope

LANGUAGE = "en-US"

_HEAD = """\
schema_version: 1
id: {id}
description: What this call is for, in one sentence.
direction: {direction}
"""

_INBOUND = """\
anywhere:
  - to: human
    when: the caller asks for a human
nodes:
  greeting:
{speak}    say: Thank you for calling {{{{ tenant.display_name }}}}.
    say_again: What else can I do for you?
    instructions: Find out what the caller needs.
    edges:
      - to: human
        when: they need something that you cannot do
      - to: goodbye
        when: they need nothing more
"""

_OUTBOUND = """\
anywhere:
  - to: do_not_call
    when: the person asks not to be called again
  - to: human
    when: the person asks for a human
keys:
  "9": do_not_call
answer:
  machine: voicemail
nodes:
  greeting:
{speak}    say: I am calling for {{{{ tenant.display_name }}}}.
    instructions: Ask whether now is a good time, and say what the call is about.
    edges:
      - to: human
        when: the person wants to go on
      - to: goodbye
        when: the person declines
  do_not_call:
    kind: end
    say: I will take you off our list. Goodbye.
    outcome: opt_out
  voicemail:
    kind: end
    outcome: {ended}
"""

_ENDS = """\
  human:
    kind: transfer
    number: {number}
    mode: warm
    say: I will put you through to a colleague. One moment, please.
    on_failure: not_connected
  not_connected:
    kind: end
    say: I am sorry, nobody can take the call right now. Goodbye.
    outcome: failed
  goodbye:
    kind: end
    say: Goodbye.
    outcome: {ended}
"""


def flow_text(
    repository: Repository, tenant: str, id: str, direction: str, purpose: str | None
) -> str:
    """The text of a flow that passes the check in this repository.

    It names what the repository has: the disclosures that policy asks for, a number of the tenant.
    """
    disclosures = list(_disclosures(repository.policy, purpose, direction))
    numbers = sorted(repository.tenants[tenant].numbers)
    outcomes = repository.catalogue.outcomes
    ended = "no_action" if outcomes is None or "no_action" in outcomes else "abandoned"
    speak = "".join(f"      - {name}\n" for name in disclosures)
    body = _OUTBOUND if direction == "outbound" else _INBOUND
    return (
        _HEAD.format(id=id, direction=direction)
        + (f"purpose: {purpose}\n" if purpose is not None else "")
        + f"language: {LANGUAGE}\nstart: greeting\n"
        + body.format(speak=f"    speak:\n{speak}" if speak else "", ended=ended)
        + _ENDS.format(
            number="support" if "support" in numbers or not numbers else numbers[0], ended=ended
        )
    )


def granted_purpose(policy: Policy, tenant: str, direction: str) -> str | None:
    """The first purpose of that direction that the policy grants the tenant."""
    document = policy.documents.get("purposes.yaml", {})
    known = document.get("purposes", {})
    for granted in document.get("grants", {}).get(tenant, ()):
        if known.get(granted, {}).get("direction", direction) == direction:
            return str(granted)
    return None


def _disclosures(policy: Policy, purpose: str | None, direction: str) -> Iterator[str]:
    """The disclosures that the policy asks for in such a call and that have a text in English."""
    texts = policy.disclosures or {}
    seen: set[str] = set()
    for rule in policy.documents.get("obligations.yaml", {}).get("obligations", ()):
        scope = Scope.from_document(rule.get("applies_to"))
        if not scope.covers_call(purpose or "", direction, voice="artificial"):
            continue
        for name in rule.get("disclosures", ()):
            if name not in seen and LANGUAGE in texts.get(name, {}).get("texts", {}):
                seen.add(name)
                yield name
