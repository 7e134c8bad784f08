"""Findings that point at a place of the model."""

from collections.abc import Iterable
from dataclasses import replace

from trunkline.finding import Finding, error, warning
from trunkline.model.place import Place
from trunkline.nearest import only_near


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


def misspelt(finding: Finding, name: str, known: Iterable[str], prefix: str = "") -> Finding:
    """The finding with the name that was meant, if only one is near.

    `prefix` is what stands before the name at the finding's place, such as `slots.`.
    """
    meant = only_near(name, known)
    if meant is None:
        return finding
    return replace(finding, rename=(prefix + name, prefix + meant))


def listed(names: tuple[str, ...]) -> str:
    """`a`, `b` and `c`, each in back quotes."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
