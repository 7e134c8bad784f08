"""What the checks say of themselves, read from the docstrings of their modules."""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent

_MODULE = re.compile(r"tl(\d{3})_\w+\.py")
_FORM = re.compile(
    r"(?P<code>TL\d{3}): (?P<title>.+?)\.?\n\n"
    r"Finds: (?P<finds>.+?)\n\n"
    r"On the phone: (?P<phone>.+?)\n\n"
    r"Fails:\n\n(?P<failing>.+?)\n\n"
    r"Passes:\n\n(?P<passing>.+)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Documentation:
    """One check. `title` is a noun phrase; `finds` and `phone` are paragraphs; the rest YAML."""

    code: str
    title: str
    finds: str
    phone: str
    failing: str
    passing: str


@cache
def documentation() -> Mapping[str, Documentation]:
    """Code → documentation of every check, sorted.

    Raises ValueError for a module whose docstring has not the form: a bug of ours.
    """
    folder = Path(__file__).parent
    modules = sorted(file for file in folder.glob("*.py") if _MODULE.fullmatch(file.name))
    found = [_read(file) for file in modules]
    return {each.code: each for each in found}


def _read(file: Path) -> Documentation:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    parts = _FORM.fullmatch(docstring)
    if parts is None or parts["code"].lower() != file.name[:5]:
        raise ValueError(f"{file.name}: its docstring has not the form of a check's documentation")
    return Documentation(
        code=parts["code"],
        title=parts["title"],
        finds=_paragraph(parts["finds"]),
        phone=_paragraph(parts["phone"]),
        failing=dedent(parts["failing"]),
        passing=dedent(parts["passing"]),
    )


def _paragraph(text: str) -> str:
    """Paragraphs, each on one line."""
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))
