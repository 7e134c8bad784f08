"""Splits a CEL expression into tokens: what a condition reads is decided on these, not on text.

Covers the lexis of the CEL language definition (github.com/google/cel-spec, langdef.md, Syntax):
strings in either quote, triple-quoted, raw and bytes; comments; numbers; identifiers; operators.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<string>(?:[rR][bB]?|[bB][rR]?)?(?:
        \"\"\"(?:\\.|[^\\])*?\"\"\"
      | '''(?:\\.|[^\\])*?'''
      | "(?:\\.|[^"\\\n])*"
      | '(?:\\.|[^'\\\n])*'))
  | (?P<number>0[xX][0-9a-fA-F]+[uU]?
      | (?:\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)[uU]?)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<operator>&&|\|\||[=!<>]=|[-+*/%!<>?:.,()\[\]{}])
    """,
    re.VERBOSE | re.DOTALL,
)

_OPEN = {"(": ")", "[": "]", "{": "}"}
_CLOSE = frozenset(_OPEN.values())

# A condition that a person can read is far below these. The library takes no more brackets than
# this inside each other, and its time and memory grow with the length: 900 kB take it 250 MB.
LONGEST = 4_000
DEEPEST = 32


class ExpressionSyntax(ValueError):
    """A character that begins no CEL token; `column` is 1-based."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


class OutOfBounds(ExpressionSyntax):
    """An expression that is longer or deeper than any that a person reads."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token of an expression: its kind (string, number, name, operator), text and offset."""

    kind: str
    text: str
    start: int


def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of `text`, spaces and comments left out. Raises ExpressionSyntax."""
    return tuple(_scan(text))


def _scan(text: str) -> Iterator[Token]:
    if len(text) > LONGEST:
        raise OutOfBounds(f"an expression has {LONGEST} characters at most", 1)
    position = depth = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionSyntax(f"cannot read {text[position]!r} here", position + 1)
        if match.lastgroup != "space":
            depth += (match.group() in _OPEN) - (match.group() in _CLOSE)
            if depth > DEEPEST:
                message = f"an expression has {DEEPEST} brackets inside each other at most"
                raise OutOfBounds(message, position + 1)
            yield Token(match.lastgroup or "", match.group(), position)
        position = match.end()


@dataclass(frozen=True, slots=True)
class DottedName:
    """A name with its selections (`slots.amount_due`), and where it stands in the text."""

    parts: tuple[str, ...]
    start: int
    end: int


def dotted_names(scanned: tuple[Token, ...]) -> tuple[DottedName, ...]:
    """Every name that begins a chain of selections, in order (`a.b.c` once, as three parts).

    A method call stays in the chain (`slots.x.size` for `slots.x.size()`): callers look at the
    first two parts, which name a variable of a flow.
    """
    found: list[DottedName] = []
    index = 0
    while index < len(scanned):
        token = scanned[index]
        selected = (
            index > 0
            and scanned[index - 1].text == "."
            and index > 1
            and (
                scanned[index - 2].kind in ("name", "string", "number")
                or scanned[index - 2].text in (")", "]", "}")
            )
        )
        if token.kind != "name" or selected:
            index += 1
            continue
        parts = [token.text]
        last = token
        while (
            index + 2 < len(scanned)
            and scanned[index + 1].text == "."
            and scanned[index + 2].kind == "name"
        ):
            last = scanned[index + 2]
            parts.append(last.text)
            index += 2
        found.append(DottedName(tuple(parts), token.start, last.start + len(last.text)))
        index += 1
    return tuple(found)


def conjuncts(scanned: tuple[Token, ...]) -> tuple[tuple[Token, ...], ...]:
    """The parts that a top-level `&&` joins; the whole, where `||` or `?` stands at the top.

    Parentheses around the whole or around a part are looked through.
    """
    scanned = _without_outer_brackets(scanned)
    depth = 0
    parts: list[tuple[Token, ...]] = []
    begin = 0
    for index, token in enumerate(scanned):
        if token.text in _OPEN:
            depth += 1
        elif token.text in _CLOSE:
            depth -= 1
        elif depth == 0 and token.text in ("||", "?"):
            return (scanned,)
        elif depth == 0 and token.text == "&&":
            parts.append(scanned[begin:index])
            begin = index + 1
    if not parts:
        return (scanned,)
    parts.append(scanned[begin:])
    return tuple(inner for part in parts for inner in conjuncts(part))


def _without_outer_brackets(scanned: tuple[Token, ...]) -> tuple[Token, ...]:
    while len(scanned) > 2 and scanned[0].text == "(" and _closing(scanned) == len(scanned) - 1:
        scanned = scanned[1:-1]
    return scanned


def _closing(scanned: tuple[Token, ...]) -> int:
    depth = 0
    for index, token in enumerate(scanned):
        depth += (token.text in _OPEN) - (token.text in _CLOSE)
        if depth == 0:
            return index
    return -1


def conjunct_facts(scanned: tuple[Token, ...]) -> frozenset[str]:
    """The facts that stand bare among the parts joined by `&&`: all of them must be true."""
    facts: set[str] = set()
    for part in conjuncts(scanned):
        texts = [token.text for token in part]
        if len(texts) == 3 and texts[:2] == ["facts", "."]:
            facts.add(texts[2])
    return frozenset(facts)
