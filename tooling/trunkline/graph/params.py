"""What a shared flow is given where it is used, put in the place of its `params.x`."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trunkline.graph.lexed import names_read
from trunkline.model.declaration import Declaration
from trunkline.model.place import Place
from trunkline.model.template import Field, fields, fill
from trunkline_runtime.expression import ExpressionError, compile_expression
from trunkline_runtime.expression.lexer import ExpressionSyntax, Token, tokens
from trunkline_runtime.table.parts import Bound

_NAME_TOKENS = 3  # params . x
# Binds tighter than any operator: a dotted name, a number without a sign, a text in quotes.
_ATOM = re.compile(r"[A-Za-z_][\w.]*|\d[\d.]*|\"(?:[^\"\\]|\\.)*\"")


class Reading(NamedTuple):
    """A name that is read, `slots.x` as its two parts, and the place that names it.

    `given` if that place is a `with`: it is read where a param is, and named by the host.
    """

    root: str
    name: str
    place: Place
    given: bool = False


@dataclass(frozen=True, slots=True)
class Param:
    """One param as a host gives it: CEL text, and the words that a template gets instead.

    `words` is None where the value cannot be spoken: it is computed while the call runs. `reads`
    are the names in it, each with the place of the `with` that holds it.
    """

    declaration: Declaration
    expression: str
    words: str | None
    place: Place
    reads: tuple[Reading, ...] = ()


def param_of_literal(declaration: Declaration, value: Bound, place: Place) -> Param:
    """A value that is taken as it is: what a `use` gives, or a number or boolean in `with`."""
    if isinstance(value, bool):
        text = "true" if value else "false"
        return Param(declaration, text, text, place)
    if isinstance(value, int | float):
        whole = isinstance(value, int) or value.is_integer()
        words = str(int(value)) if whole else repr(value)
        number = repr(float(value)) if declaration.type == "number" else repr(value)
        return Param(declaration, number, words, place)
    return Param(declaration, json.dumps(value, ensure_ascii=False), value, place)


def param_of_expression(
    declaration: Declaration, text: str, host: Mapping[str, Param], place: Place
) -> Param:
    """A CEL expression of the host, with the host's own params filled in."""
    filled = in_expression(text, host)
    return Param(declaration, filled, _words(filled), place, names_in_expression(text, host, place))


def names_in_expression(
    text: str, params: Mapping[str, Param], place: Place
) -> tuple[Reading, ...]:
    """Each name that an expression reads, with the place to point at.

    What comes in by a param is read where the host binds the param.
    """
    return _readings(names_read(text), params, place)


def names_in_template(text: str, params: Mapping[str, Param], place: Place) -> tuple[Reading, ...]:
    """Each name that words read, with the place to point at, as for an expression."""
    return _readings([field.parts for field in fields(text) if field.is_name], params, place)


def _readings(
    names: Sequence[tuple[str, ...]], params: Mapping[str, Param], place: Place
) -> tuple[Reading, ...]:
    found: dict[Reading, None] = {}
    for parts in names:
        if len(parts) < 2:
            continue
        if parts[0] == "params" and parts[1] in params:
            found.update(dict.fromkeys(params[parts[1]].reads))
        else:
            found[Reading(parts[0], parts[1], place)] = None
    return tuple(found)


def in_expression(text: str, params: Mapping[str, Param]) -> str:
    """The expression with each given `params.x` replaced by its own, in brackets where it must be.

    A name, a number or a text stands alone: a use then says the same as a flow written out.
    """
    parts: list[str] = []
    done = 0
    for name, begin, end in _params_read(text):
        if name in params:
            own = params[name].expression
            parts += [text[done:begin], own if _ATOM.fullmatch(own) else f"({own})"]
            done = end
    return "".join([*parts, text[done:]]) if parts else text


def in_template(text: str, params: Mapping[str, Param]) -> str:
    """The words with each given `{{ params.x }}` replaced by its own."""

    def words(field: Field) -> str | None:
        parts = field.parts
        if parts[0] != "params" or len(parts) != 2 or parts[1] not in params:
            return None
        return params[parts[1]].words

    return fill(text, words)


def params_in_expression(text: str) -> frozenset[str]:
    """The params that an expression names."""
    return frozenset(name for name, _, _ in _params_read(text))


def _params_read(text: str) -> tuple[tuple[str, int, int], ...]:
    """`(param, begin, end)` of each `params.x` in an expression, in order."""
    if "params" not in text:
        return ()
    try:
        scanned = tokens(text)
    except ExpressionSyntax:
        return ()
    return tuple(
        (scanned[index + 2].text, scanned[index].start, _end(scanned[index + 2]))
        for index in range(len(scanned) - _NAME_TOKENS + 1)
        if _begins_param(scanned, index)
    )


def _begins_param(scanned: tuple[Token, ...], index: int) -> bool:
    first, dot, name = scanned[index : index + _NAME_TOKENS]
    selected = index > 0 and scanned[index - 1].text == "."
    return (
        first.kind == "name"
        and first.text == "params"
        and dot.text == "."
        and name.kind == "name"
        and not selected
    )


def _end(token: Token) -> int:
    return token.start + len(token.text)


def _words(text: str) -> str | None:
    """How a template says the value: by the one name that it is, or as the constant that it is."""
    try:
        scanned = tokens(text)
    except ExpressionSyntax:
        return None
    while len(scanned) > 2 and scanned[0].text == "(" and scanned[-1].text == ")":
        scanned = scanned[1:-1]
    names = [token.text for token in scanned if token.kind == "name"]
    dots = [token.text for token in scanned if token.text == "."]
    if len(names) > 1 and len(names) + len(dots) == len(scanned) == 2 * len(names) - 1:
        return "{{ " + ".".join(names) + " }}" if names[0] != "facts" else None
    try:
        value = compile_expression(text, {}).value({})
    except (ExpressionError, ValueError, LookupError):
        return None
    return value if isinstance(value, str) else json.dumps(value)
