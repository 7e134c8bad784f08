"""The names that expressions read, each text split into tokens once."""

from functools import lru_cache

from trunkline_runtime.expression.lexer import ExpressionSyntax, dotted_names, tokens


@lru_cache(maxsize=10_000)
def names_read(text: str) -> tuple[tuple[str, ...], ...]:
    """The parts of each dotted name in an expression; none if it cannot be split into tokens."""
    try:
        return tuple(name.parts for name in dotted_names(tokens(text)))
    except ExpressionSyntax:
        return ()
