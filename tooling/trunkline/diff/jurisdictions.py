"""A country's rules in two revisions."""

from collections.abc import Iterator
from dataclasses import replace

from trunkline.diff.change import Cause, Edit
from trunkline.diff.holidays import holiday_edits
from trunkline.diff.phrases import instead, shown
from trunkline.diff.policies import Rule, rule_edit, rule_edits
from trunkline.diff.reached import Reached


def jurisdiction_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """A country: calls to one without a document are denied, so a new document opens it."""
    if not before or not after:
        opened = not before
        people = f"people in {shown((after or before).get('name'))} may"
        yield Edit(
            "country-opened" if opened else "country-closed",
            f"{people} {'now' if opened else 'no longer'} be called, by the rules of this file",
            part="country",
            before=None if opened else before.get("region"),
            after=after.get("region") if opened else None,
            cause=Cause("policy", reached.path),
            affects=reached.by({"applies_to": {"direction": "outbound"}}),
        )
        return
    reached = replace(reached, country=str(after.get("name") or after.get("region") or ""))
    yield from rule_edits(before, after, reached)
    yield from holiday_edits(before.get("holidays", {}), after.get("holidays", {}), reached)
    for kind, keys, told in (
        ("rule-changed", ("region", "zones"), "where the rules hold is changed"),
        ("rule-reworded", ("name", "description", "unset"), "what the file says of itself is new"),
    ):
        was, now = ({key: one[key] for key in keys if key in one} for one in (before, after))
        if was != now:
            message = f"{told}: {instead(now, was)}"
            yield rule_edit(kind, message, keys[0], was, now, reached)
