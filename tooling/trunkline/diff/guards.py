"""What an exit or a tool is held back by, as a set of conditions that two revisions can compare."""

from collections.abc import Mapping
from typing import Any, Literal

from trunkline_runtime.expression.lexer import ExpressionSyntax, Token, conjuncts, tokens

Guard = frozenset[str]
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


def guard_text(guard: Guard) -> str:
    """The conditions as one line, in a fixed order; empty if there are none."""
    return " && ".join(sorted(guard))


def in_words(guard: Guard) -> str:
    """The conditions as a part of a sentence."""
    return f"`{guard_text(guard)}`" if guard else "nothing"


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
