"""Keys that are unknown, missing or wrongly spelled, in plain words."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from trunkline.finding import Finding, error
from trunkline.nearest import nearest, only_near
from trunkline.source.document import Document, Step
from trunkline.source.fit.problem import Problem
from trunkline.source.quoting import quoting_help, shown

_TERMINALS = ("end", "transfer", "link")
# Comparing words is slow; a mapping with more unknown keys than this needs no guesses.
_MOST_GUESSES = 20


def unknown_keys(document: Document, problem: Problem) -> Iterator[tuple[Finding, str | None]]:
    """A finding for each key that the schema does not know, and the key that was meant."""
    path = problem.path
    instance: dict[str, Any] = problem.found
    known = problem.known
    torn: str | None = None  # the key whose text an unquoted comma has torn apart
    before: str | None = None
    guesses = _MOST_GUESSES
    for key in instance:
        if document.is_bare_key([*path, key]) and key not in known:
            if torn is None:
                torn = before
                yield _torn_apart(document, path, torn, key, instance), None
            continue
        before, torn = key, None
        if key in known:
            continue
        mark = document.mark([*path, key], "key")
        kind = instance.get("kind")
        if key == "edges" and kind in _TERMINALS and _is_node(path):
            message = f"a node of kind {kind} ends the flow, so it can have no edges"
            help = "Delete `edges`, or make it a talk node."
            if kind == "transfer":
                help = "Delete `edges`; where the call goes if nobody answers is `on_failure`."
            yield error("TL104", document.path, mark, message, help), None
            continue
        meant = nearest(key, known) if guesses > 0 else None
        guesses -= 1
        help = f"Did you mean `{meant}`?" if meant else f"Known here: {', '.join(known)}."
        found = error("TL101", document.path, mark, f"unknown key {shown(key)}", help)
        slip = only_near(key, known.keys() - instance.keys()) if meant else None
        # Each possible key may be meant; one that stands there already is not put there twice.
        if slip is not None and slip == only_near(key, known):
            found = replace(found, rename=(key, slip))
        yield found, meant


def _is_node(path: tuple[Step, ...]) -> bool:
    return len(path) == 2 and path[0] == "nodes"


def _torn_apart(
    document: Document, path: tuple[Step, ...], key: str | None, rest: str, instance: dict[str, Any]
) -> Finding:
    """`{to: x, when: they say no, or hang up}`: the comma ends the text."""
    mark = document.mark([*path, rest], "key")
    message = f"the comma before {shown(rest)} ends the text: inside braces it separates keys"
    text = instance.get(key) if key is not None else None
    if not isinstance(text, str):
        return error("TL101", document.path, mark, message, "Quote the text.")
    whole = [text]
    keys = list(instance)
    for follower in keys[keys.index(rest) :]:
        if not document.is_bare_key([*path, follower]):
            break
        whole.append(follower)
    help = quoting_help(", ".join(whole), f"Quote the text of `{key}`")
    return error("TL101", document.path, mark, message, help)


def missing_keys(
    document: Document, problems: list[Problem], meant: set[tuple[object, ...]]
) -> Iterator[Finding]:
    """A finding for each key that must be there, unless it is there under a wrong name."""
    told = set(meant)
    for problem in problems:
        path = problem.path
        for key in problem.wanted:
            where = (*path, key)
            if key in problem.found or where in told:
                continue
            told.add(where)
            about = str(problem.known.get(key, {}).get("description", ""))
            mark = document.mark(path, "key")
            yield error("TL101", document.path, mark, f"the key `{key}` is missing", about)


def name_words(problem: Problem) -> tuple[str, str]:
    """Message and help for a key that is no name of its kind."""
    name = str(problem.found)
    if problem.rule == "not":
        return f"the name {shown(name)} is reserved", "Choose another."
    return f"{shown(name)} is not a name that can stand here", problem.description
