"""Type-checks expressions, each text once for the names that it reads."""

from collections.abc import Mapping, Sequence

from trunkline.graph.lexed import names_read
from trunkline_runtime.expression import (
    CelType,
    Expression,
    ExpressionError,
    compile_expression,
)

_LARGEST = 10_000
_FEW = 8
_known: dict[tuple[object, ...], Expression] = {}


def typed(text: str, declared: Mapping[str, CelType]) -> Expression:
    """The expression, type-checked over the `declared` names. Raises ExpressionError.

    Making an environment costs ten times what compiling in it does, and most expressions of a
    repository are alike: so only the names that are read are declared, and the result is kept.
    """
    read = _names_read(text, declared)
    key = (text, *((name, read[name].name()) for name in sorted(read)))
    if key not in _known:
        try:
            expression = compile_expression(text, read)
        except ExpressionError:
            # All names are needed to say which of them was meant.
            expression = compile_expression(text, declared)
        if len(_known) >= _LARGEST:
            _known.clear()
        _known[key] = expression
    return _known[key]


def _names_read(text: str, declared: Mapping[str, CelType]) -> dict[str, CelType]:
    """The declared names among those in `text`, each with its type."""
    read: dict[str, CelType] = {}
    for parts in names_read(text):
        for length in range(1, _longest(parts, declared) + 1):
            prefix = ".".join(parts[:length])
            if prefix in declared:
                read[prefix] = declared[prefix]
    return read


def _longest(parts: Sequence[str], declared: Mapping[str, CelType]) -> int:
    """How many of the parts a declared name can have; looked up where somebody wrote very many."""
    if len(parts) <= _FEW:
        return len(parts)
    return min(len(parts), max((name.count(".") for name in declared), default=0) + 1)
