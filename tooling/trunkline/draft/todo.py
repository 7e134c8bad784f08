"""Writes what is still wrong beside the nodes, as comments for the person who decides."""

import textwrap
from collections.abc import Iterable

from trunkline.draft.placing import node_at, section_at
from trunkline.finding import Finding
from trunkline.masking import veiled
from trunkline.source import Document

_WIDTH = 100


def with_todos(document: Document, findings: Iterable[Finding]) -> str:
    """The text of the flow with a `# TODO` above each node, or part, that has an error.

    Comments change nothing: the errors stay, and `check` fails until a person has decided.
    """
    lines = document.text.splitlines()
    todos: dict[int, list[str]] = {}
    for finding in findings:
        if finding.severity == "error" and finding.path == document.path:
            above, indent = _place(document, finding.line)
            todos.setdefault(above, []).extend(_todo(finding, indent))
    for above in sorted(todos, reverse=True):
        lines[above - 1 : above - 1] = dict.fromkeys(todos[above])
    return "\n".join(lines) + "\n"


def comment(text: str, indent: int, lead: str = "# TODO ") -> list[str]:
    """`text` as lines of a comment. Nothing in it can end the comment: it is made one line."""
    line = veiled("".join(each for each in " ".join(text.split()) if each.isprintable()))
    pad = " " * indent
    return textwrap.wrap(
        line, _WIDTH, initial_indent=f"{pad}{lead}", subsequent_indent=f"{pad}#   "
    )


def _place(document: Document, line: int) -> tuple[int, int]:
    """Above which line the comment goes, and how far in."""
    node = node_at(document, line)
    path = ("nodes", node) if node is not None else (section_at(document, line) or "",)
    mark = document.mark(path, "key")
    return mark.line, mark.column - 1


def _todo(finding: Finding, indent: int) -> list[str]:
    path = f" ({' -> '.join(finding.trace)})" if finding.trace else ""
    help = f" {finding.help}" if finding.help else ""
    return comment(f"{finding.code}: {finding.message}{path}.{help}", indent)
