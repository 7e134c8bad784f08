"""What an exit or a tool is held back by, as a set of conditions that two revisions can compare."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from trunkline.diff.phrases import joined, ticked
from trunkline_runtime.expression.lexer import ExpressionSyntax, Token, conjuncts, tokens

Guard = frozenset[str]
_FACT = re.compile(r"facts\.(\w+)")
_IS_SET = re.compile(r"slots\.(\w+) is set")
_FAILED = re.compile(r"failed\.(\w+)")
_PLACE = re.compile(r"\b(?:facts|slots|inputs|params|call)\.(?=[A-Za-z_])")
_BOUND = re.compile(r"(?P<name>[\w.]+) (?P<op>[<>]=?) (?P<number>-? ?\d+(?:\.\d+)?)")
_WHOLE = re.compile(r"\b(\d+)\.0\b")
GuardChange = Literal[
    "guard-added",
    "guard-removed",
    "guard-strengthened",
    "guard-weakened",
    "guard-changed",
]


def guard_of(written: Mapping[str, Any]) -> Guard:
    """The conditions of an edge or tool, all of which must hold.

    A fact under `requires` and the same fact as a part of `if` are one condition. Each part of a
    top-level `&&` is one; spaces and comments of CEL do not count.
    """
    conditions = {_required(name) for name in written.get("requires", ())}
    if isinstance(condition := written.get("if"), str):
        conditions |= _parts(condition)
    return frozenset(conditions)


def guard_change(before: Guard, after: Guard) -> GuardChange | None:
    """How the guard changed; None if it is the same.

    It is weakened only where what is left was there before, so nothing holds back what did not
    hold back already. Where neither holds the other, nobody can tell which is the stronger one.
    """
    if before == after:
        return None
    if not before:
        return "guard-added"
    if not after:
        return "guard-removed"
    if after < before:
        return "guard-weakened"
    if after > before:
        return "guard-strengthened"
    return "guard-changed"


def moved(gone: Guard, come: Guard) -> str:
    """`loosened` or `tightened` where one number took the place of another, else `changed`."""
    if len(gone) != 1 or len(come) != 1:
        return "changed"
    was, now = (_BOUND.fullmatch(condition) for (condition,) in (gone, come))
    if was is None or now is None or was["name"] != now["name"] or was["op"] != now["op"]:
        return "changed"
    old, new = (float(bound["number"].replace(" ", "")) for bound in (was, now))
    return "tightened" if (new > old) == was["op"].startswith(">") else "loosened"


def guard_text(guard: Guard) -> str:
    """The conditions as one line, in a fixed order; empty if there are none."""
    return " && ".join(sorted(guard))


def in_words(guard: Guard) -> str:
    """The conditions as a part of a sentence; empty if there are none."""
    return joined([_ticked(condition) for condition in sorted(guard)])


def guard_label(guard: Guard) -> str:
    """The conditions as a label, where each is simple enough without the signs of an expression:
    `amount > 0 and amount is set`."""
    return " and ".join(_spoken(condition) for condition in sorted(guard))


def _ticked(condition: str) -> str:
    """A fact or a slot by its name, anything else as it is written."""
    if found := _FACT.fullmatch(condition):
        return ticked(found[1])
    if found := _IS_SET.fullmatch(condition):
        return f"{ticked(found[1])} set"
    return ticked(condition)


def _spoken(condition: str) -> str:
    if found := _FAILED.fullmatch(condition):
        return f"{found[1]} failed"
    if any(sign in condition for sign in ("||", "&&", "?", "(")):
        return condition  # not simple: it stays as it is written
    words = _PLACE.sub("", condition)
    words = _WHOLE.sub(r"\1", words).replace("==", "=").replace("!=", "≠")
    words = words.replace(">=", "≥").replace("<=", "≤")
    return f"not {words[1:]}" if words.startswith("!") else words


def _required(name: str) -> str:
    return f"{name} is set" if name.startswith("slots.") else f"facts.{name}"


def _parts(condition: str) -> set[str]:
    try:
        scanned = tokens(condition)
    except ExpressionSyntax:
        return {condition}
    if not scanned:
        return {condition}
    return {_text(part) for part in conjuncts(scanned)}


def _text(part: tuple[Token, ...]) -> str:
    words = ""
    for here, token in enumerate(part):
        tight = here == 0 or token.text in ".)](,[" or part[here - 1].text in ".([!"
        called = token.text == "(" and here > 0 and part[here - 1].kind != "name"
        words += token.text if tight and not called else f" {token.text}"
    return words
