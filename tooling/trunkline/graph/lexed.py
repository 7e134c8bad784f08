"""The names that expressions read, each text split into tokens once."""

from functools import lru_cache

from trunkline_runtime.expression.lexer import (
    ExpressionSyntax,
    conjunct_facts,
    dotted_names,
    tokens,
)


@lru_cache(maxsize=10_000)
def names_read(text: str) -> tuple[tuple[str, ...], ...]:
    """The parts of each dotted name in an expression; none if it cannot be split into tokens."""
    try:
        return tuple(name.parts for name in dotted_names(tokens(text)))
    except ExpressionSyntax:
        return ()


def facts_needed(text: str) -> frozenset[str]:
    """The facts that an expression needs as it is written, whether or not its types fit."""
    try:
        return conjunct_facts(tokens(text))
    except ExpressionSyntax:
        return frozenset()
