"""What the catalogue declares beside tools, in two revisions: facts and outcomes."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.phrases import ticked
from trunkline.diff.rests import Rests

Declared = Mapping[str, Any]


def fact_edits(before: Mapping[str, Any], after: Mapping[str, Any], rests: Rests) -> Iterator[Edit]:
    """The differences between the facts that a call may establish."""
    cause = Cause("catalogue", "catalog/facts.yaml")
    for fact in sorted(before.keys() | after.keys()):
        old, new = before.get(fact), after.get(fact)
        part, name = f"fact {fact}", ticked(fact)
        if old is None or new is None:
            kind = "fact-declared" if old is None else "fact-undeclared"
            told = "can now establish" if old is None else "can no longer establish"
            message = f"calls {told} the fact {name}"
            yield Edit(kind, message, part=part, before=old, after=new, cause=cause)
            continue
        if bool(old.get("confirm")) != bool(new.get("confirm")):
            allowed = bool(new.get("confirm"))
            affects = rests.resting("", fact)
            yield Edit(
                "fact-confirm-allowed" if allowed else "fact-confirm-refused",
                f"a caller's clear yes can {'now' if allowed else 'no longer'} establish {name}",
                part=part,
                before=not allowed,
                after=allowed,
                circumstances=frozenset({"proof"} if affects else ()),
                cause=cause,
                affects=affects,
            )
        if old.get("description") != new.get("description"):
            yield Edit(
                "fact-description-changed",
                f"the fact {name} is described in other words (wording only, not judged)",
                part=part,
                before=old.get("description"),
                after=new.get("description"),
                cause=cause,
            )


_SUPPRESSION = (None, "tenant", "platform")


def declared_outcome_edits(before: Declared, after: Declared) -> Iterator[Edit]:
    """The differences between the outcomes of calls, and whom they spare later calls."""
    cause = Cause("catalogue", "catalog/outcomes.yaml")
    for outcome in sorted(before.keys() | after.keys()):
        old, new = before.get(outcome), after.get(outcome)
        part, name = f"outcome {outcome}", ticked(outcome)
        if old is None or new is None:
            kind = "outcome-declared" if old is None else "outcome-undeclared"
            told = "may now" if old is None else "may no longer"
            message = f"calls {told} end with the outcome {name}"
            yield Edit(kind, message, part=part, before=old, after=new, cause=cause)
        if (old or {}).get("suppress") != (new or {}).get("suppress"):
            was, now = (old or {}).get("suppress"), (new or {}).get("suppress")
            raised = _SUPPRESSION.index(now) > _SUPPRESSION.index(was)
            told = {
                None: "is called again",
                "tenant": "is not called again by this tenant",
                "platform": "is not called again by anybody",
            }[now]
            yield Edit(
                "suppression-raised" if raised else "suppression-lowered",
                f"a person whose call ended with {name} {told}",
                part=f"{part} suppress",
                before=was,
                after=now,
                cause=cause,
            )
        if old and new and old.get("description") != new.get("description"):
            yield Edit(
                "outcome-description-changed",
                f"the outcome {name} is described in other words (wording only, not judged)",
                part=part,
                before=old.get("description"),
                after=new.get("description"),
                cause=cause,
            )
