"""Policy documents to rules. A document that cannot be read denies; it never opens anything."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.read_jurisdiction import read_jurisdiction
from trunkline_runtime.policy.read_lists import read_caps, read_lists, read_waivers
from trunkline_runtime.policy.read_obligations import (
    read_disclosures,
    read_requirements,
    read_shape,
)
from trunkline_runtime.policy.read_purposes import read_purposes
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.schema import validator
from trunkline_runtime.table.canonical import Json

JURISDICTIONS = "jurisdictions/"
TESTS = "tests/"

_Document = Mapping[str, Any]


def _requirements(rules: Rules, document: _Document) -> Rules:
    return replace(rules, requirements=read_requirements(document))


def _obligations(rules: Rules, document: _Document) -> Rules:
    return replace(rules, disclosures=read_disclosures(document), obligations=read_shape(document))


def _purposes(rules: Rules, document: _Document) -> Rules:
    purposes, grants, standing = read_purposes(document)
    return replace(rules, purposes=purposes, grants=grants, standing_consents=standing)


def _lists(rules: Rules, document: _Document) -> Rules:
    return replace(rules, lists=read_lists(document))


def _caps(rules: Rules, document: _Document) -> Rules:
    return replace(rules, caps=read_caps(document))


def _waivers(rules: Rules, document: _Document) -> Rules:
    return replace(rules, waivers=read_waivers(document))


# The documents that the engine reads; the others (words, accepted changes) are not rules.
_READERS: Mapping[str, Callable[[Rules, _Document], Rules]] = {
    "requirements": _requirements,
    "obligations": _obligations,
    "purposes": _purposes,
    "dnc": _lists,
    "spend": _caps,
    "exceptions": _waivers,
}


def rules_from(
    documents: Mapping[str, Json],
    unreadable: Mapping[str, str] | None = None,
    *,
    fitting: bool = False,
) -> Rules:
    """The platform's rules. `documents` maps a path under `policy/` to the document.

    `unreadable` (path → why) are documents that exist and could not even be parsed. Never raises
    for what a document holds: a document that does not fit is in `Rules.unreadable`. `fitting`
    says that every document has just been checked against its schema.
    """
    rules = Rules()
    faults = {_name(path): why for path, why in (unreadable or {}).items()}
    for path in sorted(documents):
        name = _name(path)
        if name in faults:
            continue
        try:
            rules = _with(rules, name, path, documents[path], fitting)
        except Malformed as error:
            faults[name] = str(error)
    return replace(rules, unreadable=faults)


def _with(rules: Rules, name: str, path: str, document: Json, fitting: bool) -> Rules:
    if name.startswith(JURISDICTIONS):
        jurisdiction = read_jurisdiction(path, _fitting("jurisdiction", document, fitting))
        country = jurisdiction.country
        if name != f"{JURISDICTIONS}{country.lower()}":
            raise Malformed(f"region {country} belongs into {JURISDICTIONS}{country.lower()}.yaml")
        return replace(rules, jurisdictions={**rules.jurisdictions, country: jurisdiction})
    reader = _READERS.get(name)
    return reader(rules, _fitting(name, document, fitting)) if reader else rules


def _fitting(kind: str, document: Json, fitting: bool) -> _Document:
    for error in () if fitting else validator(kind).iter_errors(document):
        place = ".".join(str(step) for step in error.absolute_path) or "the document"
        raise Malformed(f"{place}: {error.message}")
    assert isinstance(document, Mapping)  # the schema says so
    return document


def _name(path: str) -> str:
    """`policy/jurisdictions/us.yaml` and `jurisdictions/us.json` are both `jurisdictions/us`."""
    inner = path.removeprefix("policy/")
    stem, dot, _ = inner.rpartition(".")
    return stem if dot else inner
