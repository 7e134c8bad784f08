"""Values that do not fit: of the wrong type, not one of the choices, too large, too few."""

import re
from typing import Any

from trunkline.nearest import nearest
from trunkline.source.document import Document
from trunkline.source.fit.problem import Problem
from trunkline.source.quoting import quoted, quoting_help, shown

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a mapping of keys to values",
    "null": "nothing",
}


def value_words(document: Document, problem: Problem) -> tuple[str, str]:
    """Message and help for one error of the schema about a value."""
    rule, wanted, found = problem.rule, problem.wanted, problem.found
    about = problem.description
    if is_refusal(problem):
        return f"{_key(problem)} does not belong here", "Delete it."
    if rule == "type":
        return _wrong_type(document, problem)
    if rule in ("enum", "const"):
        return _not_a_choice(found, wanted if rule == "enum" else [wanted])
    if rule == "pattern":
        return f"{shown(str(found))} is not what belongs here", about or f"It must match {wanted}"
    if rule == "not":
        return f"{shown(str(found))} is reserved", "Choose another."
    return f"{_key(problem)} {_bound(str(rule), wanted)}", about


def is_refusal(problem: Problem) -> bool:
    """True where the schema lets nothing stand: the key itself is the fault."""
    return problem.rule == "not" and problem.wanted == {}


def _key(problem: Problem) -> str:
    """The name of the value: its key, or of the list that holds it."""
    names = [step for step in problem.path if isinstance(step, str)]
    if not names:
        return "this file"
    last = problem.path[-1]
    return f"an item of `{names[-1]}`" if isinstance(last, int) else f"`{names[-1]}`"


def _wrong_type(document: Document, problem: Problem) -> tuple[str, str]:
    wanted = problem.wanted
    types: list[str] = [wanted] if isinstance(wanted, str) else list(wanted)
    found = problem.found
    message = f"{_key(problem)} must be {_or(types)}, not {_what(found)}"
    if found is None:
        return f"{_key(problem)} has no value", _for_nothing(document, problem, types)
    if "string" in types and not isinstance(found, list | dict):
        return message, f"Quote it: {quoted(_spelled(document, problem))}"
    if "string" in types and (text := _on_one_line(document, problem)) is not None:
        return message, quoting_help(text, "If it is text, quote it")
    if types == ["array"] and not isinstance(found, list | dict):
        return message, f"Write it as a list: [{_spelled(document, problem)}]"
    if types == ["boolean"] and isinstance(found, str):
        return message, "Write true or false, without quotes."
    if set(types) <= {"integer", "number"} and isinstance(found, str) and found.isdecimal():
        return message, f"Write {found}, without quotes."
    if not problem.path:
        return message, "Write keys, such as `schema_version: 1`."
    return message, problem.description


def _for_nothing(document: Document, problem: Problem, types: list[str]) -> str:
    """What to write where nothing stands: it may be text that YAML takes for nothing."""
    spelled = _spelled(document, problem)
    if "string" in types and spelled:  # `null` or `~`
        return f"Write {_or(types)}, or delete the key. If it is text, quote it: {quoted(spelled)}"
    line = document.text.splitlines()[document.mark(problem.path, "key").line - 1]
    comment = re.search(r":[ \t]+(#.*)$", line)
    if "string" in types and comment is not None:
        message = "What begins with `#` is a comment for YAML."
        return f"{message} {quoting_help(comment[1].strip(), 'If it is text, quote it')}"
    return f"Write {_or(types)}, or delete the key."


def _on_one_line(document: Document, problem: Problem) -> str | None:
    """`{ready}` or `price: 5` as it is spelled; None where it takes several lines."""
    mark = document.mark(problem.path)
    text = _spelled(document, problem) if mark.line == mark.end_line else ""
    return text or None


def _spelled(document: Document, problem: Problem) -> str:
    """A scalar as the file has it (a number loses its spelling when it is read)."""
    mark = document.mark(problem.path)
    if mark.line != mark.end_line:
        return str(problem.found)
    line = document.text.splitlines()[mark.line - 1]
    return line[mark.column - 1 : mark.end_column - 1]


def _or(types: list[str]) -> str:
    words = [_TYPES[each] for each in types]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _what(found: Any) -> str:
    if isinstance(found, bool):
        return "true or false"
    if isinstance(found, str):
        return "text"
    if isinstance(found, int | float):
        return "a number"
    return "a list" if isinstance(found, list) else "a mapping" if found is not None else "nothing"


def _not_a_choice(found: Any, choices: list[Any]) -> tuple[str, str]:
    spelled = [choice if isinstance(choice, str) else str(choice).lower() for choice in choices]
    if isinstance(found, list | dict):
        return f"this is {_what(found)}, not one of the words known here", _one_of(spelled)
    message = f"{shown(str(found))} is not one of the words known here"
    if len(choices) == 1:
        return f"{shown(str(found))} cannot stand here", _one_of(spelled)
    meant = nearest(str(found), spelled)
    return message, f"Did you mean `{meant}`? {_one_of(spelled)}" if meant else _one_of(spelled)


def _one_of(spelled: list[str]) -> str:
    return f"Write {spelled[0]}." if len(spelled) == 1 else f"Known here: {', '.join(spelled)}."


def _bound(rule: str, wanted: Any) -> str:
    """The rest of a sentence that begins with the name of the value."""
    words = {
        "minimum": f"must be at least {wanted}",
        "exclusiveMinimum": f"must be more than {wanted}",
        "maximum": f"must be at most {wanted}",
        "minItems": "must not be empty" if wanted == 1 else f"needs at least {wanted} items",
        "minLength": "must not be empty" if wanted == 1 else f"needs {wanted} letters or more",
        "maxLength": f"must have at most {wanted} letters",
        "minProperties": "must not be empty" if wanted == 1 else f"needs at least {wanted} keys",
        "maxItems": f"may have {wanted} items at most",
        "maxProperties": "must have one key" if wanted == 1 else f"may have {wanted} keys at most",
    }
    return words.get(rule, "is not a JSON Schema that can be used")
