"""What a rule of the policy asks, in words: for rules that come or go as a whole."""

from collections.abc import Mapping
from typing import Any

from trunkline.diff.phrases import listed, plural, shown, tool_that
from trunkline.diff.windows import open_told

Rule = Mapping[str, Any]


def rule_told(word: str, rule: Rule) -> str:
    """What the rule asks, to stand after a colon; its description where nothing else is known."""
    told = _TOLD.get(word, _nothing)(rule)
    return told or str(rule.get("description") or "")


def moved_told(word: str, before: Rule, after: Rule) -> str:
    """What the rule asks now, and what it asked; empty where that is the same or not known."""
    was, now = (_TOLD.get(word, _nothing)(rule) for rule in (before, after))
    return f"now {now}, not {was}" if was and now and was != now else ""


def _nothing(rule: Rule) -> str:
    return ""


def _requirement(rule: Rule) -> str:
    facts, effect = rule.get("facts") or (), str(rule.get("effect", ""))
    return f"{listed(facts)} before {tool_that(effect)}" if facts and effect else ""


def _window(rule: Rule) -> str:
    return open_told(rule)


def _attempts(rule: Rule) -> str:
    if rule.get("max") is None:
        return ""
    told = f"at most {plural(int(rule['max']), 'attempt')}"
    for key, word in (("days", "day"), ("hours", "hour")):
        if rule.get(key) is not None:
            return f"{told} in {plural(int(rule[key]), word)}"
    return told


def _spend(rule: Rule) -> str:
    if not rule.get("limit"):
        return ""
    per = f" a {rule['per']}" if rule.get("per") else ""
    return f"at most {shown(rule['limit'])}{per}"


_TOLD = {
    "requirement": _requirement,
    "calling window": _window,
    "cap on attempts": _attempts,
    "cap on spend": _spend,
}
