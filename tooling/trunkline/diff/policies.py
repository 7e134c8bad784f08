"""The policy in two revisions: rules, purposes, consents, exceptions, lists, words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.direction import Direction, direction
from trunkline.diff.holidays import holiday_edits
from trunkline.diff.phrases import shown, ticked
from trunkline.diff.reached import Reached

Rule = Mapping[str, Any]
# Key of a document → one word for a rule in it.
RULE_LISTS: Mapping[str, str] = {
    "requirements": "requirement",
    "obligations": "obligation",
    "windows": "calling window",
    "frequency": "cap on attempts",
    "consent": "needed consent",
    "caps": "cap on spend",
    "spend": "cap on spend",
    "lists": "Do-Not-Call list",
}
_KINDS: Mapping[Direction, str] = {
    "tightened": "rule-tightened",
    "loosened": "rule-loosened",
    "unclear": "rule-changed",
    "reworded": "rule-reworded",
}
_TOLD: Mapping[Direction, str] = {
    "tightened": "is tightened",
    "loosened": "is loosened",
    "unclear": "is changed in a way that may loosen it",
    "reworded": "has another description or source",
}
_COPY = ("sha256", "obtained_at")  # of a list: which copy of it is in use


def rule_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """The differences between the rules of two versions of one document.

    `before` and `after` hold lists of rules under the keys of RULE_LISTS.
    """
    for key, word in RULE_LISTS.items():
        old, new = _by_id(before.get(key, ())), _by_id(after.get(key, ()))
        for id in sorted(old.keys() - new.keys()):
            yield _edit(
                "rule-removed", f"the {word} {ticked(id)} is gone", id, old[id], None, reached
            )
        for id in sorted(new.keys() - old.keys()):
            yield _edit(
                "rule-added",
                f"a new {word} {ticked(id)}{_says(new[id])}",
                id,
                None,
                new[id],
                reached,
            )
        for id in sorted(old.keys() & new.keys()):
            yield from _moved(word, id, old[id], new[id], reached)


def _moved(word: str, id: str, old: Rule, new: Rule, reached: Reached) -> Iterator[Edit]:
    copy = [{key: rule.get(key) for key in _COPY} for rule in (old, new)]
    if copy[0] != copy[1]:
        newer = (new.get("obtained_at") or "") > (old.get("obtained_at") or "")
        kind, told = ("list-refreshed", "newer") if newer else ("list-set-back", "older or another")
        yield _edit(
            kind,
            f"the {word} {ticked(id)} is read from a copy that is {told}",
            id,
            copy[0],
            copy[1],
            reached,
        )
    rest = [{key: value for key, value in rule.items() if key not in _COPY} for rule in (old, new)]
    moved = direction(*rest)
    if moved is not None:
        changed = sorted(
            key for key in rest[0].keys() | rest[1].keys() if rest[0].get(key) != rest[1].get(key)
        )
        was = {key: old[key] for key in changed if key in old}
        now = {key: new[key] for key in changed if key in new}
        message = f"the {word} {ticked(id)} {_TOLD[moved]}: {shown(now)} instead of {shown(was)}"
        level = "overridable" if _overridable(old) and _overridable(new) else "mandatory"
        yield _edit(_KINDS[moved], message, id, was, now, reached, level, old, new)


def _overridable(rule: Rule) -> bool:
    return bool(rule.get("level") == "overridable")


def _edit(
    kind: str,
    message: str,
    id: str,
    before: Any,
    after: Any,
    reached: Reached,
    level: str | None = None,
    *whole: Rule,
) -> Edit:
    rules = whole or tuple(rule for rule in (before, after) if rule is not None)
    if level is None:
        level = "overridable" if all(_overridable(rule) for rule in rules) else "mandatory"
    return Edit(
        kind,
        message,
        tenant=reached.tenant,
        part=f"rule {id}",
        before=before,
        after=after,
        circumstances=frozenset({"mandatory"} if level == "mandatory" else ()),
        cause=Cause("policy", reached.path),
        affects=reached.by(*rules),
    )


def _says(rule: Rule) -> str:
    description = rule.get("description")
    return f": {description}" if description else ""


def _by_id(rules: Sequence[Rule]) -> dict[str, Rule]:
    return {str(rule.get("id", rule.get("kind", index))): rule for index, rule in enumerate(rules)}


def purpose_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """What calls may be made for: purposes, who was granted which, standing consents."""
    old, new = before.get("purposes", {}), after.get("purposes", {})
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            kind, told = (
                ("purpose-declared", "is new") if name in new else ("purpose-undeclared", "is gone")
            )
            yield _edit(
                kind,
                f"the purpose {ticked(name)} {told}",
                name,
                old.get(name),
                new.get(name),
                reached,
            )
        else:
            yield from _moved("purpose", name, old[name], new[name], reached)
    grants = before.get("grants", {}), after.get("grants", {})
    for tenant in sorted(grants[0].keys() | grants[1].keys()):
        was, now = set(grants[0].get(tenant, ())), set(grants[1].get(tenant, ()))
        for kind, purposes, told in (
            ("purpose-granted", now - was, "may now call for"),
            ("purpose-withdrawn", was - now, "may no longer call for"),
        ):
            for purpose in sorted(purposes):
                yield Edit(
                    kind,
                    f"{ticked(tenant)} {told} {ticked(purpose)}",
                    part=f"grant {tenant} {purpose}",
                    before=sorted(was),
                    after=sorted(now),
                    cause=Cause("policy", reached.path),
                    affects=reached.by({"tenant": tenant, "applies_to": {"purpose": [purpose]}}),
                )
    yield from _consent_edits(before.get("consents", ()), after.get("consents", ()), reached)


def _consent_edits(
    before: Sequence[Rule], after: Sequence[Rule], reached: Reached
) -> Iterator[Edit]:
    """Consents that a tenant is said to hold; each one lets calls through."""
    for kind, one, other, told in (
        ("consent-withdrawn", before, after, "is no longer said to hold"),
        ("consent-recorded", after, before, "is said to hold"),
    ):
        for written in one:
            if written in other:
                continue
            tenant, purpose = str(written.get("tenant")), str(written.get("purpose"))
            consents = shown(written.get("consents"))
            yield Edit(
                kind,
                f"{ticked(tenant)} {told} {consents} of everybody it calls for {ticked(purpose)}",
                part=f"consent {tenant} {purpose}",
                before=None if kind == "consent-recorded" else dict(written),
                after=dict(written) if kind == "consent-recorded" else None,
                cause=Cause("policy", reached.path),
                affects=reached.by({"tenant": tenant, "applies_to": {"purpose": [purpose]}}),
            )


def jurisdiction_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """A country: calls to one without a document are denied, so a new document opens it."""
    if not before or not after:
        opened = not before
        name = shown((after or before).get("name"))
        yield Edit(
            "country-opened" if opened else "country-closed",
            f"{name} may {'now' if opened else 'no longer'} be called, by the rules of this file",
            part="country",
            before=None if opened else before.get("region"),
            after=after.get("region") if opened else None,
            cause=Cause("policy", reached.path),
            affects=reached.by({"applies_to": {"direction": "outbound"}}),
        )
        return
    yield from rule_edits(before, after, reached)
    yield from holiday_edits(before.get("holidays", {}), after.get("holidays", {}), reached)
    rest = [
        {key: value for key, value in one.items() if key in ("region", "zones")}
        for one in (before, after)
    ]
    if rest[0] != rest[1]:
        message = f"where the rules hold is changed: {shown(rest[1])} instead of {shown(rest[0])}"
        yield _edit("rule-changed", message, "zones", rest[0], rest[1], reached)
