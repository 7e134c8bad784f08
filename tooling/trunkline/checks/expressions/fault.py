"""A fault inside an expression, at its column in the file."""

import re
from collections.abc import Mapping
from dataclasses import replace

from trunkline.finding import Finding, Mark, error
from trunkline.graph.typed import typed
from trunkline.model.place import Place
from trunkline.source.within import line_and_column
from trunkline_runtime.expression import CelType, Expression, ExpressionError

CODE = "TL404"
_COMPARED_WITH_WHOLE = re.compile(r"(?:[<>]=?|[=!]=)\s*-?\d+(?![\d.eEuUx])")


def compiled(text: str, declared: Mapping[str, CelType], place: Place) -> Expression | Finding:
    """The expression, or what is wrong with it where it stands."""
    try:
        return typed(text, declared)
    except ExpressionError as fault:
        found = finding_in(text, fault.column, place, fault.message, fault.help)
        return _with_point(found, text[fault.column - 1 :])


def _with_point(found: Finding, rest: str) -> Finding:
    """The finding with what was meant, where a number is compared with a whole one: `> 0.0`.

    `rest` is the expression from its fault on, which the finding must stand on, up to a quote.
    """
    whole = _COMPARED_WITH_WHOLE.match(rest)
    quote = found.end_column - found.column - len(rest)
    if "has a point" not in found.help or whole is None or quote not in (0, 1):
        return found
    meant = f"{whole[0]}.0{rest[whole.end() :]}"
    return replace(found, end_column=found.end_column - quote, rename=(rest, meant))


def finding_in(text: str, column: int, place: Place, message: str, help: str) -> Finding:
    """A finding at a column (1-based) of an expression's text, from there to its end.

    One that points behind the text, or at white space, points at what comes next, or at all of it.
    """
    mark = place.mark
    found = line_and_column(place.document.text, mark, text, column - 1)
    if found is not None:
        mark = Mark(*found, mark.end_line, mark.end_column)
    return error(CODE, place.path, mark, message, help)
