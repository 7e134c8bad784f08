"""Tells quickly whether a document fits its schema; why one does not, jsonschema tells.

A schema is compiled to nested functions, once. On a flow they take a tenth of jsonschema's time,
and nearly every file fits. A test holds the two against each other.
"""

import re
from collections.abc import Callable, Mapping, Sized
from functools import cache
from typing import Any

from trunkline_runtime.schema import schema

Fits = Callable[[Any], bool]

_NO_RULES = frozenset({"$schema", "title", "description", "definitions", "then", "else"})


class _UnknownKeyword(Exception):
    """A schema that uses more of draft-07 than is known here."""


@cache
def quick_check(kind: str) -> Fits | None:
    """A function that tells whether data fits `schemas/<kind>.schema.json`.

    None if the schema holds a keyword that is not known here.
    """
    root = schema(kind)
    try:
        return _Definitions(root.get("definitions", {})).fits(root)
    except _UnknownKeyword:
        return None


class _Definitions:
    """Compiles the parts of one schema: a definition once, however often it is named."""

    def __init__(self, written: Mapping[str, Any]) -> None:
        self.written = written
        self.compiled: dict[str, Fits] = {}

    def fits(self, part: Any) -> Fits:
        if isinstance(part, bool):
            return lambda value: part
        if "$ref" in part:
            return self._named(part["$ref"])
        rules = tuple(self._rules(part))
        if len(rules) == 1:
            return rules[0]

        def fits(value: Any) -> bool:
            for rule in rules:  # noqa: SIM110 - `all` over a generator takes twice the time
                if not rule(value):
                    return False
            return True

        return fits

    def _named(self, target: str) -> Fits:
        name = target.removeprefix("#/definitions/")
        if name not in self.written:
            raise _UnknownKeyword(target)
        if name not in self.compiled:
            self.compiled[name] = lambda value: self.compiled[name](value)  # may name itself
            self.compiled[name] = self.fits(self.written[name])
        return self.compiled[name]

    def _rules(self, part: Mapping[str, Any]) -> list[Fits]:
        rules: list[Fits] = []
        for keyword, wanted in part.items():
            if keyword in _NO_RULES:
                continue
            if keyword in _PLAIN:
                rules.append(_PLAIN[keyword](wanted))
            elif keyword in ("properties", "additionalProperties"):
                if keyword == "properties" or "properties" not in part:
                    rules.append(self._keys(part))
            elif keyword in ("propertyNames", "items") and isinstance(wanted, dict):
                rules.append(_each(dict if keyword == "propertyNames" else list, self.fits(wanted)))
            elif keyword == "allOf":
                rules += [self.fits(each) for each in wanted]
            elif keyword == "not":
                rules.append(_not(self.fits(wanted)))
            elif keyword == "if":
                rules.append(self._choice(part))
            else:
                raise _UnknownKeyword(keyword)
        return rules

    def _choice(self, part: Mapping[str, Any]) -> Fits:
        condition = self.fits(part["if"])
        then, other = self.fits(part.get("then", True)), self.fits(part.get("else", True))
        return lambda value: then(value) if condition(value) else other(value)

    def _keys(self, part: Mapping[str, Any]) -> Fits:
        known = {key: self.fits(each) for key, each in part.get("properties", {}).items()}
        other = self.fits(part.get("additionalProperties", True))

        def fits(value: Any) -> bool:
            if type(value) is dict:
                for key, inner in value.items():
                    if not known.get(key, other)(inner):
                        return False
            return True

        return fits


def _each(container: type[list[Any]] | type[dict[str, Any]], inner: Fits) -> Fits:
    """Every item of a list, or every key of a mapping."""

    def fits(value: Any) -> bool:
        if type(value) is container:
            for item in value:
                if not inner(item):
                    return False
        return True

    return fits


def _not(inner: Fits) -> Fits:
    return lambda value: not inner(value)


def _type(wanted: str | list[str]) -> Fits:
    names = [wanted] if isinstance(wanted, str) else wanted
    types = {type_ for name in names for type_ in _TYPES[name]}
    if "integer" in names and "number" not in names:  # 5.0 is an integer in JSON Schema
        return lambda value: type(value) in types or (type(value) is float and value.is_integer())
    return lambda value: type(value) in types


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _one_of(choices: list[Any]) -> Fits:
    """`enum` and `const`: true is not 1, though Python says so."""
    if any(isinstance(choice, list | dict) for choice in choices):
        raise _UnknownKeyword("enum of lists or mappings")
    known = {(isinstance(choice, bool), choice) for choice in choices}
    scalar = (str, int, float, bool, type(None))
    return lambda value: type(value) in scalar and (type(value) is bool, value) in known


def _pattern(wanted: str) -> Fits:
    search = re.compile(wanted).search
    return lambda value: type(value) is not str or search(value) is not None


def _dependencies(wanted: Mapping[str, Any]) -> Fits:
    if not all(isinstance(needed, list) for needed in wanted.values()):
        raise _UnknownKeyword("dependencies that are schemas")
    return lambda value: (
        type(value) is not dict
        or all(name in value for key, needed in wanted.items() if key in value for name in needed)
    )


def _required(wanted: list[str]) -> Fits:
    needed = frozenset(wanted)
    return lambda value: type(value) is not dict or needed <= value.keys()


def _number(compare: Callable[[Any, Any], bool]) -> Callable[[Any], Fits]:
    return lambda wanted: lambda value: type(value) not in (int, float) or compare(value, wanted)


def _size(container: type[Sized], compare: Callable[[int, int], bool]) -> Callable[[int], Fits]:
    return lambda wanted: lambda value: type(value) is not container or compare(len(value), wanted)


def _at_least(value: Any, wanted: Any) -> bool:
    return bool(value >= wanted)


def _at_most(value: Any, wanted: Any) -> bool:
    return bool(value <= wanted)


_PLAIN: Mapping[str, Callable[[Any], Fits]] = {
    "type": _type,
    "enum": _one_of,
    "const": lambda wanted: _one_of([wanted]),
    "required": _required,
    "dependencies": _dependencies,
    "pattern": _pattern,
    "minimum": _number(_at_least),
    "maximum": _number(_at_most),
    "exclusiveMinimum": _number(lambda value, wanted: bool(value > wanted)),
    "minLength": _size(str, _at_least),
    "maxLength": _size(str, _at_most),
    "minItems": _size(list, _at_least),
    "maxItems": _size(list, _at_most),
    "minProperties": _size(dict, _at_least),
    "maxProperties": _size(dict, _at_most),
}
