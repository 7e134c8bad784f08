"""The findings of a document that does not fit its schema: one for each cause (TL101, TL104)."""

from collections.abc import Iterator

from trunkline.finding import START, Finding, error
from trunkline.source.document import Document
from trunkline.source.fit.keys import missing_keys, name_words, unknown_keys
from trunkline.source.fit.problem import Problem
from trunkline.source.fit.values import value_words
from trunkline_runtime.schema import validator


def fit_findings(document: Document) -> list[Finding]:
    """Everything that keeps the document from fitting `schemas/<kind>.schema.json`."""
    if document.data is None:
        return [_empty(document)]
    try:
        problems = [
            Problem.of(found) for found in validator(document.kind).iter_errors(document.data)
        ]
    except RecursionError:
        message = "this file is too deep"
        return [error("TL001", document.path, START, message, "Write it flatter.")]
    return _once(_findings(document, problems)) if problems else []


def _empty(document: Document) -> Finding:
    first = "scenarios" if document.kind == "scenarios" else "schema_version: 1"
    help = f"It begins with `{first}`; the editor shows what may follow."
    return error("TL101", document.path, START, "this file is empty", help)


def _once(findings: Iterator[Finding]) -> list[Finding]:
    """Places that several parts of a schema judge are told once."""
    return list({(found.line, found.column, found.message): found for found in findings}.values())


def _findings(document: Document, problems: list[Problem]) -> Iterator[Finding]:
    unknown = [problem for problem in problems if problem.rule == "additionalProperties"]
    missing = [problem for problem in problems if problem.rule == "required"]
    meant: set[tuple[object, ...]] = set()
    for problem in unknown:
        for finding, key_meant in unknown_keys(document, problem):
            if key_meant is not None:
                meant.add((*problem.path, key_meant))
            yield finding
    yield from missing_keys(document, missing, meant)
    for problem in problems:
        if problem.rule in ("additionalProperties", "required"):
            continue
        if problem.about_name:
            mark = document.mark([*problem.path, str(problem.found)], "key")
            yield error("TL101", document.path, mark, *name_words(problem))
        else:
            mark = document.mark(problem.path)
            yield error("TL101", document.path, mark, *value_words(document, problem))
