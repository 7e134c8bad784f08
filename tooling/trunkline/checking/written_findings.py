"""Findings as JSON lists, and back."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from trunkline.finding import Finding


def as_lists(findings: Iterable[Finding]) -> list[list[Any]]:
    """Each finding as the list of its fields, in their order."""
    return [
        [
            *(each.code, each.severity, each.path),
            *(each.line, each.column, each.end_line, each.end_column),
            *(each.message, each.help, list(each.trace)),
            list(each.rename) if each.rename else None,
        ]
        for each in findings
    ]


def from_lists(written: Iterable[Sequence[Any]]) -> list[Finding]:
    """The findings that `as_lists` wrote."""
    return [_from_list(fields) for fields in written]


def _from_list(fields: Sequence[Any]) -> Finding:
    trace, rename = fields[9:]
    meant = (rename[0], rename[1]) if rename else None
    found = Finding(*fields[:9])
    return replace(found, trace=tuple(trace), rename=meant)
