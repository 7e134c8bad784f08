"""Rules of the policy in two revisions: added, removed, tightened, loosened."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.direction import Direction, direction
from trunkline.diff.phrases import instead, ticked
from trunkline.diff.reached import Reached
from trunkline.diff.rule_words import moved_told, rule_told
from trunkline.diff.scope import scope_told
from trunkline.diff.windows import hours_told

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
    "tightened": "lets less through (tightened)",
    "loosened": "lets more through (loosened)",
    "unclear": "may let more through (changed)",
    "reworded": "has another description or source, and decides the same",
}
_COPY = ("sha256", "obtained_at")  # of a list: which copy of it is in use


def rule_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """The differences between the rules of two versions of one document.

    `before` and `after` hold lists of rules under the keys of RULE_LISTS.
    """
    for key, word in RULE_LISTS.items():
        old, new = _by_id(before.get(key, ())), _by_id(after.get(key, ()))
        for id in sorted(old.keys() - new.keys()):
            yield rule_edit(
                "rule-removed",
                f"the {word} {ticked(id)} no longer holds{_says(word, old[id], reached)}",
                id,
                old[id],
                None,
                reached,
            )
        for id in sorted(new.keys() - old.keys()):
            yield rule_edit(
                "rule-added",
                f"a new {word} {ticked(id)} now holds{_says(word, new[id], reached)}",
                id,
                None,
                new[id],
                reached,
            )
        for id in sorted(old.keys() & new.keys()):
            yield from moved_edits(word, id, old[id], new[id], reached)


def moved_edits(word: str, id: str, old: Rule, new: Rule, reached: Reached) -> Iterator[Edit]:
    """Which way one rule moved, and which copy of a list it reads."""
    copy = [{key: rule.get(key) for key in _COPY} for rule in (old, new)]
    if copy[0] != copy[1]:
        newer = (new.get("obtained_at") or "") > (old.get("obtained_at") or "")
        kind, told = ("list-refreshed", "newer") if newer else ("list-set-back", "older or another")
        yield rule_edit(
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
        effect = hours_told(old, new) if word == "calling window" else moved_told(word, old, new)
        effect = f"{effect}: " if effect else ""
        told = f"the {word} {ticked(id)}{_for(new, reached)} {_TOLD[moved]}"
        message = f"{effect}{told}: {instead(now, was)}"
        level = "overridable" if _overridable(old) and _overridable(new) else "mandatory"
        yield rule_edit(_KINDS[moved], message, id, was, now, reached, level, old, new)


def _overridable(rule: Rule) -> bool:
    return bool(rule.get("level") == "overridable")


def rule_edit(
    kind: str,
    message: str,
    id: str,
    before: Any,
    after: Any,
    reached: Reached,
    level: str | None = None,
    *whole: Rule,
) -> Edit:
    """An edit of a rule of this document; `whole` are its versions where `before` is a part."""
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


def _for(rule: Rule, reached: Reached) -> str:
    return f", for {scope_told(rule, reached.country)}," if rule.get("applies_to") else ""


def _says(word: str, rule: Rule, reached: Reached) -> str:
    """Whom a rule is for, and what it asks."""
    whom = f" for {scope_told(rule, reached.country)}" if rule.get("applies_to") else ""
    told = rule_told(word, rule)
    return f"{whom}: {told}" if told else whom


def _by_id(rules: Sequence[Rule]) -> dict[str, Rule]:
    return by_name((str(rule.get("id", rule.get("kind", ""))), rule) for rule in rules)


def by_name(named: Iterable[tuple[str, Rule]]) -> dict[str, Rule]:
    """The rules by name; a second one of a name gets a number, so that none is passed over."""
    found: dict[str, Rule] = {}
    for name, rule in named:
        key, count = name, 1
        while key in found:
            count += 1
            key = f"{name} ({count})"
        found[key] = rule
    return found
