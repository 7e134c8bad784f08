"""Compiles and evaluates one CEL expression over declared, qualified names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from typing import Any

from trunkline_runtime.expression.environment import compiled
from trunkline_runtime.expression.lexer import (
    DEEPEST,
    ExpressionSyntax,
    OutOfBounds,
    Token,
    conjunct_facts,
    dotted_names,
    tokens,
)
from trunkline_runtime.expression.types import BOOL, DOUBLE, INT, CelType
from trunkline_runtime.table.canonical import Json

# After these a dot selects nothing. Brackets that close, names and literals are what it follows.
_BEFORE_A_NAME = frozenset((*"<>+-*/%!?:,([{", "&&", "||", "==", "!=", "<=", ">="))
_ERROR_PLACE = re.compile(r"<input>:(\d+):(\d+): (.*)")


class ExpressionError(ValueError):
    """An expression that does not parse or does not type-check.

    `column` is 1-based within the expression's text; `help` says what to write instead, or is "".
    """

    def __init__(self, message: str, column: int, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.help = help


class ExpressionTooLarge(ExpressionError):
    """An expression that is longer or deeper than is read; its types may be right."""


class Unset(LookupError):
    """A value was asked for, but a name that the expression reads has none; `name` says which."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not set")
        self.name = name


class EvaluationError(ValueError):
    """The expression was well typed but failed on these values (a division by zero, say)."""


@dataclass(frozen=True)
class Expression:
    """A type-checked expression.

    `names` are the declared names that it reads (`slots.amount_due`), wherever they stand.
    `conjunct_facts` are the facts that must be true for it to hold at all: the bare
    `facts.x` among its top-level `&&` parts.
    """

    text: str
    names: frozenset[str]
    conjunct_facts: frozenset[str]
    type: CelType
    _program: Any = field(repr=False, compare=False)
    _doubles: frozenset[str] = field(repr=False, compare=False)

    @property
    def type_name(self) -> str:
        """The CEL type of the result: BOOL, STRING, INT, DOUBLE, DYN, LIST<…>, …"""
        return str(self.type.name())

    @cached_property
    def slots(self) -> frozenset[str]:
        """The slots that it reads, by name."""
        return frozenset(name.split(".")[1] for name in self.names if name.startswith("slots."))

    @cached_property
    def facts(self) -> frozenset[str]:
        """The facts that it reads, by name."""
        return frozenset(name.split(".")[1] for name in self.names if name.startswith("facts."))

    def value(self, values: Mapping[str, object]) -> Json:
        """The value on `values` (qualified name → value; a missing or None one is unset).

        Raises Unset if any name that it reads is unset, even one that `||` would skip, and
        EvaluationError if the evaluation fails.
        """
        given: dict[str, object] = {}
        for name in self.names:
            value = values.get(name)
            if value is None:
                raise Unset(name)
            if name in self._doubles and isinstance(value, int) and not isinstance(value, bool):
                value = float(value)
            given[name] = value
        try:
            outcome = self._program.eval(data=given)
        except RuntimeError as error:  # lists of lists of lists: the library gives up
            raise EvaluationError(str(error)) from None
        if outcome.type().name() in ("ERROR", "UNKNOWN"):
            raise EvaluationError(str(outcome.value()))
        plain: Json = outcome.plain_value()
        return plain

    def holds(self, values: Mapping[str, object]) -> bool:
        """True only if the result is the boolean true; never raises for what a call may bring."""
        try:
            return self.value(values) is True
        except (Unset, EvaluationError):
            return False


def compile_expression(text: str, declared: Mapping[str, CelType]) -> Expression:
    """Type-checks `text` over the `declared` names. Raises ExpressionError with the column."""
    try:
        scanned = tokens(text)
    except OutOfBounds as error:
        raise ExpressionTooLarge(str(error), error.column) from None
    except ExpressionSyntax as error:
        raise ExpressionError(str(error), error.column) from None
    _refuse_presence_test(scanned)
    _refuse_leading_dot(scanned)
    try:
        program = compiled(text, declared)
    except RuntimeError as error:
        raise _explained(str(error), text, declared) from None
    read = _names_read(scanned, declared)
    return Expression(
        text=text,
        names=read,
        conjunct_facts=conjunct_facts(scanned),
        type=program.return_type(),
        _program=program,
        _doubles=frozenset(name for name in read if declared[name].name() == DOUBLE.name()),
    )


def _names_read(scanned: tuple[Token, ...], declared: Mapping[str, CelType]) -> frozenset[str]:
    """The longest declared prefix of each dotted name, as the type checker resolves it."""
    read: set[str] = set()
    for name in dotted_names(scanned):
        for length in range(len(name.parts), 0, -1):
            candidate = ".".join(name.parts[:length])
            if candidate in declared:
                read.add(candidate)
                break
    return frozenset(read)


def _refuse_presence_test(scanned: tuple[Token, ...]) -> None:
    for here, after in pairwise(scanned):
        if here.text == "has" and after.text == "(":
            raise ExpressionError(
                "has() cannot tell whether a slot is set",
                here.start + 1,
                "list the slot under `requires` of the edge, for example "
                "`requires: [slots.amount_due]`",
            )


def _refuse_leading_dot(scanned: tuple[Token, ...]) -> None:
    """CEL reads `.slots.x` as `slots.x`; what is proven of names is proven of them as written."""
    for before, here in pairwise((None, *scanned)):
        begins = before is None or before.text == "in" or before.text in _BEFORE_A_NAME
        if here is not None and here.text == "." and begins:
            raise ExpressionError(
                "a name does not begin with a dot", here.start + 1, "write it without the dot"
            )


def _explained(report: str, text: str, declared: Mapping[str, CelType]) -> ExpressionError:
    """The library's first complaint in our words, with its column in the whole text."""
    place = _ERROR_PLACE.search(report)
    if place is None:  # it stands nowhere: what the library says of an expression as a whole
        message = f"an expression has {DEEPEST} parts inside each other at most"
        return ExpressionTooLarge(message, 1, "write it shorter, or in several edges")
    line, column, complaint = int(place[1]), int(place[2]), place[3]
    before = sum(len(part) + 1 for part in text.split("\n")[: line - 1])
    column = min(before + column, len(text) + 1)
    if undeclared := re.search(r"undeclared reference to '([^']+)'", complaint):
        name = undeclared[1].lstrip(".")
        begin = max(column - len(name.rpartition(".")[0]), 1)
        return ExpressionError(f"`{name}` does not exist here", begin, _nearest(name, declared))
    if overload := re.search(r"overload for '([^']+)' applied to '\(?([^')]*)\)?", complaint):
        operator = overload[1].strip("_").strip("_") or overload[1]
        kinds = [kind.strip() for kind in overload[2].split(",")]
        return ExpressionError(
            f"`{operator}` does not work on {' and '.join(kinds)}", column, _overload_help(kinds)
        )
    if complaint.startswith("Syntax error"):
        return ExpressionError("this is not a complete CEL expression", column)
    return ExpressionError(complaint, column)


def _nearest(name: str, declared: Mapping[str, CelType]) -> str:
    near = get_close_matches(name, list(declared), n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else ""


def _overload_help(kinds: list[str]) -> str:
    if set(kinds) == {DOUBLE.name().lower(), INT.name().lower()}:
        return "a number is compared with a number that has a point: write `0.0` instead of `0`"
    if BOOL.name().lower() in kinds:
        return "a yes/no value stands alone: write `facts.x` or `!facts.x`"
    return ""
