"""A quick yes: whether a document fits its schema, in a fraction of the time of finding why not.

A schema becomes one function of functions. It knows the keywords of draft-07 that our schemas use,
and refuses to know a schema that uses another. Whoever gets a no asks the full validator for the
reason, and believes that.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from trunkline_runtime.schema import compiled, schema

Accepts = Callable[[Any], bool]

_SAID_ELSEWHERE = frozenset({"$schema", "title", "description", "definitions", "then", "else"})


def fits(kind: str, document: Any) -> bool:
    """True if a document fits the schema of its kind; false too where only the validator can tell.

    For what many documents are asked in a row: a no is worth a slower question, a yes is not.
    """
    check = accepts(kind)
    return check is not None and check(document)


def surely_fits(part: Mapping[str, Any], value: Any) -> bool:
    """True if a value fits a schema of somebody else's; false too where the schema is too much.

    Made anew each time: for a schema that is asked once, or a few times.
    """
    try:
        return _Compiler(part).compiled(part)(value)
    except (Unknown, KeyError, TypeError, ValueError, re.error):
        return False


class Unknown(Exception):
    """A keyword that is not known here."""


@cache
def accepts(kind: str) -> Accepts | None:
    """Says whether a document fits the schema of its kind; None if only the validator can tell."""
    whole = schema(kind)
    try:
        return _Compiler(whole).compiled(whole)
    except Unknown:
        return None


def _is_integer(value: Any) -> bool:
    """As draft-07 has it: 1.0 is an integer, true is none."""
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Accepts] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": _is_integer,
    "number": _is_number,
}


class _Compiler:
    """Compiles the parts of one schema; each definition once, when something refers to it."""

    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._whole = whole
        self._definitions: dict[str, Accepts] = {}

    def compiled(self, part: Any) -> Accepts:
        """What accepts the documents that a schema accepts. Raises Unknown."""
        if part is True:
            return lambda value: True
        if part is False:
            return lambda value: False
        if "$ref" in part:
            return self._referred(part["$ref"])  # draft-07 looks at nothing beside it
        checks = tuple(self._checks(part))
        return checks[0] if len(checks) == 1 else _every(checks)

    def _referred(self, name: str) -> Accepts:
        prefix = "#/definitions/"
        if not name.startswith(prefix):
            raise Unknown(name)
        if name not in self._definitions:
            # A definition may refer to itself: until it is compiled it is looked up when asked.
            self._definitions[name] = lambda value: self._definitions[name](value)
            self._definitions[name] = self.compiled(
                self._whole["definitions"][name.removeprefix(prefix)]
            )
        return self._definitions[name]

    def _checks(self, part: Mapping[str, Any]) -> Iterator[Accepts]:
        unknown = part.keys() - _KNOWN - _SAID_ELSEWHERE
        if unknown:
            raise Unknown(", ".join(sorted(unknown)))
        if "type" in part:
            yield _type(part["type"])
        if part.keys() & {"properties", "additionalProperties"}:
            yield self._properties(part)
        for keyword, make in _PLAIN.items():
            if keyword in part:
                yield make(part[keyword])
        if "propertyNames" in part:
            yield _each(dict, self.compiled(part["propertyNames"]))
        if "items" in part:
            if isinstance(part["items"], list):
                raise Unknown("items")
            yield _each(list, self.compiled(part["items"]))
        yield from self._combined(part)

    def _properties(self, part: Mapping[str, Any]) -> Accepts:
        known = {name: self.compiled(each) for name, each in part.get("properties", {}).items()}
        other = self.compiled(part.get("additionalProperties", True))

        def check(value: Any) -> bool:
            if isinstance(value, dict):
                for name, each in value.items():
                    if not known.get(name, other)(each):
                        return False
            return True

        return check

    def _combined(self, part: Mapping[str, Any]) -> Iterator[Accepts]:
        for each in part.get("allOf", ()):
            yield self.compiled(each)
        if "anyOf" in part:
            choices = [self.compiled(each) for each in part["anyOf"]]
            yield lambda value: any(choice(value) for choice in choices)
        if "not" in part:
            refused = self.compiled(part["not"])
            yield lambda value: not refused(value)
        if "if" in part:
            asked = self.compiled(part["if"])
            then = self.compiled(part.get("then", True))
            otherwise = self.compiled(part.get("else", True))
            yield lambda value: then(value) if asked(value) else otherwise(value)


def _every(checks: tuple[Accepts, ...]) -> Accepts:
    def check(value: Any) -> bool:
        for each in checks:  # noqa: SIM110 - `all` over a generator takes twice the time
            if not each(value):
                return False
        return True

    return check


def _each(container: type[Any], inner: Accepts) -> Accepts:
    """Every item of a list, or every key of a mapping."""
    return lambda value: not isinstance(value, container) or all(map(inner, value))


def _type(named: str | list[str]) -> Accepts:
    if isinstance(named, str):
        return _TYPES[named]
    choices = tuple(_TYPES[each] for each in named)

    def check(value: Any) -> bool:
        for each in choices:  # noqa: SIM110 - see _every
            if each(value):
                return True
        return False

    return check


def _same(expected: Any) -> Accepts:
    if isinstance(expected, dict | list):
        raise Unknown("a constant that is no scalar")
    truth = isinstance(expected, bool)  # in Python 1 == True, in JSON it is not
    return lambda value: bool(value == expected) and isinstance(value, bool) is truth


def _one_of(expected: list[Any]) -> Accepts:
    if all(isinstance(each, str) for each in expected):
        texts = frozenset(expected)
        return lambda value: isinstance(value, str) and value in texts
    choices = [_same(each) for each in expected]
    return lambda value: any(choice(value) for choice in choices)


def _required(names: list[str]) -> Accepts:
    needed = frozenset(names)
    return lambda value: not isinstance(value, dict) or needed <= value.keys()


def _dependencies(needs: Mapping[str, Any]) -> Accepts:
    """Keys that need others; draft-07 also knows keys that need a schema."""
    if not all(isinstance(needed, list) for needed in needs.values()):
        raise Unknown("dependencies that are schemas")
    return lambda value: (
        not isinstance(value, dict)
        or all(name in value for key, needed in needs.items() if key in value for name in needed)
    )


def _pattern(text: str) -> Accepts:
    found = compiled(text).search
    return lambda value: not isinstance(value, str) or found(value) is not None


def _sized(kind: type[Any], fits: Callable[[int, Any], bool]) -> Callable[[Any], Accepts]:
    def make(bound: Any) -> Accepts:
        return lambda value: not isinstance(value, kind) or fits(len(value), bound)

    return make


def _bounded(fits: Callable[[Any, Any], bool]) -> Callable[[Any], Accepts]:
    def make(bound: Any) -> Accepts:
        return lambda value: not _is_number(value) or fits(value, bound)

    return make


_PLAIN: Mapping[str, Callable[[Any], Accepts]] = {
    "const": _same,
    "enum": _one_of,
    "required": _required,
    "dependencies": _dependencies,
    "pattern": _pattern,
    "minLength": _sized(str, lambda size, bound: size >= bound),
    "maxLength": _sized(str, lambda size, bound: size <= bound),
    "minItems": _sized(list, lambda size, bound: size >= bound),
    "maxItems": _sized(list, lambda size, bound: size <= bound),
    "minProperties": _sized(dict, lambda size, bound: size >= bound),
    "maxProperties": _sized(dict, lambda size, bound: size <= bound),
    "minimum": _bounded(lambda value, bound: value >= bound),
    "maximum": _bounded(lambda value, bound: value <= bound),
    "exclusiveMinimum": _bounded(lambda value, bound: value > bound),
    "exclusiveMaximum": _bounded(lambda value, bound: value < bound),
}
_KNOWN = _PLAIN.keys() | {
    *("type", "properties", "additionalProperties", "propertyNames", "items"),
    *("allOf", "anyOf", "not", "if"),
}
