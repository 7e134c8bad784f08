"""Findings that point at a place of the model."""

from trunkline.finding import Finding, error, warning
from trunkline.model.place import Place


def error_at(
    code: str, place: Place, message: str, help: str = "", trace: tuple[str, ...] = ()
) -> Finding:
    """An error at a place."""
    return error(code, place.path, place.mark, message, help, trace)


def warning_at(
    code: str, place: Place, message: str, help: str = "", trace: tuple[str, ...] = ()
) -> Finding:
    """A warning at a place."""
    return warning(code, place.path, place.mark, message, help, trace)


def listed(names: tuple[str, ...]) -> str:
    """`a`, `b` and `c`, each in back quotes."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
