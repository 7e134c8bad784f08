"""The expressions of a catalogue entry: what it establishes, whom it is about, how it runs."""

from collections.abc import Iterator, Mapping

from trunkline.checks.expressions.fault import compiled, finding_in
from trunkline.checks.expressions.fit import words_of
from trunkline.finding import Finding
from trunkline.graph.conditions import args_names, result_names
from trunkline.model.place import Place
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import CelType


def faults_of_entry(entry: ToolEntry, place: Place) -> Iterator[Finding]:
    """The faults in the expressions of one entry."""
    args, both = args_names(entry), result_names(entry)
    for fact, text in entry.establishes.items():
        where = place.at("establishes", fact)
        yield from _of_type(text, both, where, ("BOOL", "DYN"), "a condition is a yes/no value")
    if entry.subject is not None:
        where = place.at("subject")
        rule = "a subject is an id"
        yield from _of_type(entry.subject, both, where, ("STRING", "INT", "DYN"), rule)
    if entry.cost is not None and entry.cost.expression is not None:
        where = place.at("cost", "expression")
        rule = "a cost is a whole number"
        yield from _of_type(entry.cost.expression, args, where, ("INT", "DYN"), rule)
    http = entry.run.get("http", {})
    for part in ("query", "headers", "json"):
        yield from _values(http.get(part, {}), args, place.at("run", "http", part))


def _of_type(
    text: str,
    names: Mapping[str, CelType],
    place: Place,
    types: tuple[str, ...],
    rule: str,
) -> Iterator[Finding]:
    expression = compiled(text, names, place)
    if isinstance(expression, Finding):
        yield expression
    elif expression.type_name not in types:
        message = f"{rule}, and this is {words_of(expression.type_name)}"
        yield finding_in(text, 1, place, message, "")


def _values(value: object, names: Mapping[str, CelType], place: Place) -> Iterator[Finding]:
    """Each text in a request is an expression; numbers and yes/no values stand for themselves."""
    if isinstance(value, str):
        expression = compiled(value, names, place)
        if isinstance(expression, Finding):
            yield expression
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _values(inner, names, place.at(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _values(inner, names, place.at(index))
