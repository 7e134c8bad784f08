"""The findings of a document that does not fit its schema: one for each cause (TL101, TL104)."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice

from trunkline.finding import START, Finding, error
from trunkline.source.document import Document
from trunkline.source.fit.keys import missing_keys, name_words, unknown_keys
from trunkline.source.fit.problem import Problem
from trunkline.source.fit.shared import misplaced_keys
from trunkline.source.fit.values import is_refusal, value_words
from trunkline.source.reader import MOST_FINDINGS
from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import fits

_MOST_ERRORS = 3 * MOST_FINDINGS  # of the schema; several of them can have one cause


def fit_findings(document: Document) -> list[Finding]:
    """Everything that keeps the document from fitting `schemas/<kind>.schema.json`."""
    if document.data is None:
        return [_empty(document)]
    try:
        # Nearly every file fits, and only for one that does not jsonschema has to tell why.
        if fits(document.kind, document.data):
            return list(misplaced_keys(document))
        # Lazily: a file of a megabyte may have more errors than anybody can wait for.
        errors = islice(validator(document.kind).iter_errors(document.data), _MOST_ERRORS)
        problems = [Problem.of(found) for found in errors]
    except RecursionError:
        message = "this file is too deep"
        return [error("TL001", document.path, START, message, "Write it flatter.")]
    return _once(chain(misplaced_keys(document), _findings(document, problems)))


def _empty(document: Document) -> Finding:
    first = "scenarios" if document.kind == "scenarios" else "schema_version: 1"
    help = f"It begins with `{first}`; the editor shows what may follow."
    return error("TL101", document.path, START, "this file is empty", help)


def _once(findings: Iterator[Finding]) -> list[Finding]:
    """Places that several parts of a schema judge are told once, and no more than help."""
    told = {
        (found.line, found.column, found.message): found
        for found in islice(findings, MOST_FINDINGS)
    }
    more = next(findings, None)
    if more is not None:
        message = f"{MOST_FINDINGS} faults and more: these are the first"
        told[0, 0, message] = replace(more, code="TL101", message=message, help="Mend these first.")
    return list(told.values())


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
            mark = document.mark(problem.path, "key" if is_refusal(problem) else "value")
            yield error("TL101", document.path, mark, *value_words(document, problem))
