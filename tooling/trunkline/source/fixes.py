"""Mends what is safe to mend: quotes that are missing (TL004), names of which one is near."""

import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from pathlib import Path

from trunkline.failure import FatalError
from trunkline.finding import Finding
from trunkline.source.fit import fit_findings
from trunkline.source.layout import kind_of
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
    fixable: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.code in FIXABLE or finding.rename is not None:
            fixable.setdefault(finding.path, []).append(finding)
    for path in sorted(fixable):
        try:
            before = tree.read(path)
        except UnreadableError:  # gone since it was checked
            continue
        after, count = _mended(path, before, fixable[path])
        if count:
            _replace((root / path).resolve(), after)
            mended[path] = count
    return mended


def _mended(path: str, before: bytes, findings: Iterable[Finding]) -> tuple[bytes, int]:
    """The file with its faults mended, and how many were: none if it would not be better for it."""
    kind = kind_of(path) or ""
    document, old = read_document(path, kind, before)
    unquoted = [finding for finding in old if finding.code in FIXABLE]
    if unquoted:
        after = quote_scalars(before.decode("utf-8"), unquoted).encode("utf-8")
        better = _is_better(old, read_document(path, kind, after)[1])
        return (after, len(unquoted)) if better else (before, 0)
    if document is None:
        return before, 0
    slips = {each.order: each for each in findings if each.rename is not None}
    text, count = document.text, 0
    for start, end, finding in _last_first(text, slips.values()):
        changed = _renamed(text, start, end, finding)
        if changed is not None and _is_sounder(path, kind, text, changed, finding):
            text, count = changed, count + 1
    return text.encode("utf-8"), count


def _renamed(text: str, start: int, end: int, finding: Finding) -> str | None:
    """The text with the name that was meant; None if the place holds another than was found."""
    written = text[start:end]
    old, new = finding.rename or ("", "")
    quote = written[:1] if written[:1] in ("'", '"') else ""
    if written != f"{quote}{old}{quote}":
        return None
    return f"{text[:start]}{quote}{new}{quote}{text[end:]}"


def _is_sounder(path: str, kind: str, before: str, after: str, finding: Finding) -> bool:
    """True if the new name does no harm: it may stand there already, or its value not fit there."""
    old, _ = read_document(path, kind, before.encode("utf-8"))
    new, faults = read_document(path, kind, after.encode("utf-8"))
    if old is None or new is None or faults:
        return False
    # A key that is unknown is told by the schema; the name of a node, a slot or a tool is not.
    mended = finding.code == "TL101"
    return len(fit_findings(new)) <= len(fit_findings(old)) - mended


def quote_scalars(text: str, findings: Iterable[Finding]) -> str:
    """`text` with quotes around the scalars that the findings stand on."""
    for start, end, _ in _last_first(text, findings):
        text = text[:start] + quoted(text[start:end]) + text[end:]
    return text


def _last_first(text: str, findings: Iterable[Finding]) -> Iterator[tuple[int, int, Finding]]:
    """Where each finding begins and ends, the last one first: what is before it stays in place."""
    starts = [0, *accumulate(len(line) for line in _LINES.findall(text))]
    for finding in sorted(findings, key=lambda finding: finding.order, reverse=True):
        if max(finding.line, finding.end_line) < len(starts):
            start = starts[finding.line - 1] + finding.column - 1
            yield start, starts[finding.end_line - 1] + finding.end_column - 1, finding


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
