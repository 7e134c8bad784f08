"""A fault inside an expression, at its column in the file."""

from collections.abc import Mapping

from trunkline.finding import Finding, Mark, error
from trunkline.graph.typed import typed
from trunkline.model.place import Place
from trunkline_runtime.expression import CelType, Expression, ExpressionError

CODE = "TL404"


def compiled(text: str, declared: Mapping[str, CelType], place: Place) -> Expression | Finding:
    """The expression, or what is wrong with it where it stands."""
    try:
        return typed(text, declared)
    except ExpressionError as fault:
        return finding_in(text, fault.column, place, fault.message, fault.help)


def finding_in(text: str, column: int, place: Place, message: str, help: str) -> Finding:
    """A finding at a column (1-based) of an expression's text.

    The place in the file is exact where the expression stands on one line as it is read: plain, or
    in quotes without an escape. Elsewhere the finding points at the whole expression.
    """
    mark = place.mark
    if mark.line == mark.end_line:
        quotes = (mark.end_column - mark.column - len(text)) // 2
        if mark.end_column - mark.column == len(text) + 2 * quotes and quotes in (0, 1):
            begin = min(mark.column + quotes + column - 1, mark.end_column)
            mark = Mark(mark.line, begin, mark.end_line, mark.end_column)
    return error(CODE, place.path, mark, message, help)
