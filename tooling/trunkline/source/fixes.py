"""Mends what is safe to mend: puts quotes around scalars that need them (TL004)."""

import os
import re
import tempfile
from collections.abc import Iterable, Mapping
from itertools import accumulate
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.finding import Finding
from trunkline.source.quoting import quoted
from trunkline.source.reader import read_document
from trunkline.source.tree import UnreadableError, WorkingTree

FIXABLE = frozenset({"TL004"})

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def apply_fixes(root: Path, findings: Iterable[Finding]) -> Mapping[str, int]:
    """Mends the files of the findings and tells path → how many were mended in it.

    Each file is read anew, so that one that has changed since is not spoiled, and replaced whole
    or not at all. Raises FatalError if a file cannot be written.
    """
    tree = WorkingTree(root)
    mended: dict[str, int] = {}
    for path in sorted({finding.path for finding in findings if finding.code in FIXABLE}):
        try:
            before = tree.read(path)
        except UnreadableError:  # gone since it was checked
            continue
        old = read_document(path, "", before)[1]
        fixable = [finding for finding in old if finding.code in FIXABLE]
        if not fixable:
            continue
        after = quote_scalars(before.decode("utf-8"), fixable).encode("utf-8")
        if _is_better(old, read_document(path, "", after)[1]):
            _replace((root / path).resolve(), after)
            mended[path] = len(fixable)
    return mended


def quote_scalars(text: str, findings: Iterable[Finding]) -> str:
    """`text` with quotes around the scalars that the findings stand on."""
    starts = [0, *accumulate(len(line) for line in _LINES.findall(text))]
    last_first = sorted(findings, key=lambda finding: finding.order, reverse=True)
    for finding in last_first:
        start = starts[finding.line - 1] + finding.column - 1
        end = starts[finding.end_line - 1] + finding.end_column - 1
        text = text[:start] + quoted(text[start:end]) + text[end:]
    return text


def _is_better(old: list[Finding], new: list[Finding]) -> bool:
    """True if there are fewer reading errors than before, and no new kind of them."""
    return len(new) < len(old) and {each.code for each in new} <= {each.code for each in old}


def _replace(file: Path, data: bytes) -> None:
    """Writes beside the file, then renames: a kill in between leaves the old file or the new."""
    try:
        mode = file.stat().st_mode
        descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.write(data)
                opened.flush()
                os.fsync(opened.fileno())
            temporary.chmod(mode & 0o7777)
            temporary.replace(file)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as problem:
        raise FatalError(f"{file}: it cannot be written: {problem.strerror}") from problem
