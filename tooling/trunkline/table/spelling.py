"""One spelling for all that means the same: spaces in expressions and fields, zeros of numbers.

A text in quotes is one token and stays as it is. A comment says nothing to a call and is gone.
"""

import re

from trunkline.model.template import Field, fill
from trunkline_runtime.expression.lexer import ExpressionSyntax, Token, tokens

_DECIMAL = re.compile(r"\d+\.\d+")
_OPENING = frozenset("([{.")
_CLOSING = frozenset(")]},.")
_ENDS_A_VALUE = frozenset(")]}")
# Python writes numbers from here on, and below the other one, with an exponent.
_LARGEST, _SMALLEST = 1e15, 1e-4


def spelled(expression: str) -> str:
    """The expression with one space where one belongs, and `5.0` for `5.00`.

    As it is written where the result would not be read as the same tokens.
    """
    try:
        scanned = [(token.kind, _number(token)) for token in tokens(expression)]
        printed = _printed(scanned)
        same = [(token.kind, token.text) for token in tokens(printed)] == scanned
    except ExpressionSyntax:
        return expression.strip()
    return printed if same else expression.strip()


def spelled_words(text: str) -> str:
    """The words with each `{{slots.x}}` as `{{ slots.x }}`."""
    return fill(text, _field)


def _field(field: Field) -> str | None:
    return f"{{{{ {field.name} }}}}" if field.is_name else None


def _number(token: Token) -> str:
    if token.kind != "number" or _DECIMAL.fullmatch(token.text) is None:
        return token.text
    value = float(token.text)
    plain = value == 0.0 or _SMALLEST <= value < _LARGEST
    return repr(value) if plain else token.text


def _printed(scanned: list[tuple[str, str]]) -> str:
    parts: list[str] = []
    before: tuple[str, str] | None = None
    glued = True  # nothing before the first
    for kind, text in scanned:
        if not glued and not _touches(before, text):
            parts.append(" ")
        parts.append(text)
        glued = text in _OPENING or _is_sign(before, text)
        before = kind, text
    return "".join(parts)


def _touches(before: tuple[str, str] | None, text: str) -> bool:
    """Whether a token stands right after the one before it: `f(`, `a[`, `x)`, `a,`."""
    if text in _CLOSING:
        return True
    calls = before is not None and (before[0] == "name" or before[1] in _ENDS_A_VALUE)
    return text in ("(", "[") and calls and before != ("name", "in")


def _is_sign(before: tuple[str, str] | None, text: str) -> bool:
    """True for a `!`, and for a `-` that takes nothing away from a value before it."""
    if text == "!":
        return True
    ends = before is not None and (before[0] != "operator" or before[1] in _ENDS_A_VALUE)
    return text == "-" and (not ends or before == ("name", "in"))
