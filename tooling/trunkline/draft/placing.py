"""Which node of a flow a line belongs to."""

from trunkline.source import Document


def node_at(document: Document, line: int) -> str | None:
    """The node in whose lines `line` (from 1) lies, or None if it is none's."""
    nodes = document.data.get("nodes") if isinstance(document.data, dict) else None
    if not isinstance(nodes, dict):
        return None
    for name in nodes:
        if document.mark(("nodes", name), "key").line <= line <= last_line(document, name):
            return str(name)
    return None


def last_line(document: Document, node: str) -> int:
    """The line on which a node's value ends."""
    mark = document.mark(("nodes", node))
    return mark.end_line if mark.end_column > 1 else mark.end_line - 1


def section_at(document: Document, line: int) -> str | None:
    """The key of the flow in whose lines `line` lies."""
    found = None
    for key in document.data if isinstance(document.data, dict) else ():
        if document.mark((key,), "key").line <= line:
            found = str(key)
    return found
