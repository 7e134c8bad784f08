"""What the catalogue declares beside tools, in two revisions: facts and outcomes."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline.diff.catalogue import Resting
from trunkline.diff.change import Cause, Edit
from trunkline.diff.phrases import ticked

Declared = Mapping[str, Any]


def fact_edits(
    before: Mapping[str, Any], after: Mapping[str, Any], rests: Resting
) -> Iterator[Edit]:
    """The differences between the facts that a call may establish."""
    cause = Cause("catalogue", "catalog/facts.yaml")
    for fact in sorted(before.keys() | after.keys()):
        old, new = before.get(fact), after.get(fact)
        part, name = f"fact {fact}", ticked(fact)
        if old is None or new is None:
            kind = "fact-declared" if old is None else "fact-undeclared"
            told = "is new" if old is None else "is gone"
            yield Edit(
                kind, f"the fact {name} {told}", part=part, before=old, after=new, cause=cause
            )
            continue
        if bool(old.get("confirm")) != bool(new.get("confirm")):
            allowed = bool(new.get("confirm"))
            affects = rests("", fact)
            yield Edit(
                "fact-confirm-allowed" if allowed else "fact-confirm-refused",
                f"a yes to a confirm node can {'now' if allowed else 'no longer'} establish {name}",
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
                f"{name} is described in other words",
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
            told = "is new" if old is None else "is gone"
            yield Edit(
                kind, f"the outcome {name} {told}", part=part, before=old, after=new, cause=cause
            )
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
                f"after {name} the person {told}",
                part=f"{part} suppress",
                before=was,
                after=now,
                cause=cause,
            )
        if old and new and old.get("description") != new.get("description"):
            yield Edit(
                "outcome-description-changed",
                f"{name} is described in other words",
                part=part,
                before=old.get("description"),
                after=new.get("description"),
                cause=cause,
            )
