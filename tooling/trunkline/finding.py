"""A finding: what is wrong, where it stands, and what to write instead."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]


class Mark(NamedTuple):
    """A stretch of a file. Lines and columns count from 1; the end column is not included."""

    line: int
    column: int
    end_line: int
    end_column: int


START = Mark(1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. `path` is relative to the repository and has forward slashes.

    `message` says what is wrong, `help` what to write instead (may be empty), `trace` the nodes
    of the shortest path that shows the fault (may be empty). `rename` is a name and the one that
    was meant, where only one is near: with it in the place of the other the fault is mended.
    """

    code: str
    severity: Severity
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    help: str = ""
    trace: tuple[str, ...] = ()
    rename: tuple[str, str] | None = None

    @property
    def order(self) -> tuple[str, int, int, str, str]:
        """What findings are sorted by: path, line, column, code (the message breaks ties)."""
        return self.path, self.line, self.column, self.code, self.message


def error(
    code: str, path: str, mark: Mark, message: str, help: str = "", trace: tuple[str, ...] = ()
) -> Finding:
    """An error at `mark`."""
    return Finding(code, "error", path, *mark, message=message, help=help, trace=trace)


def warning(
    code: str, path: str, mark: Mark, message: str, help: str = "", trace: tuple[str, ...] = ()
) -> Finding:
    """A warning at `mark`."""
    return Finding(code, "warning", path, *mark, message=message, help=help, trace=trace)


def in_order(findings: list[Finding]) -> tuple[Finding, ...]:
    """The findings sorted, each once: the same on every run."""
    return tuple(sorted(set(findings), key=lambda finding: finding.order))
