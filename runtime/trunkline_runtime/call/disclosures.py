"""The exact words of a disclosure, from the policy of the moment, in the language of the call."""

from collections.abc import Mapping
from typing import Any

from trunkline_runtime.release.loaded import PolicySnapshot

_DOCUMENT = "disclosures.yaml"


class NoDisclosure(LookupError):
    """A disclosure that a node owes the caller has no words here: the node must not be entered."""


def disclosure(policy: PolicySnapshot, name: str, language: str) -> str:
    """The words of a disclosure for a language tag; a text for `en` also serves `en-US`.

    Raises NoDisclosure: a call does not go on without words that it owes.
    """
    document: Any = policy.documents.get(_DOCUMENT, {})
    known = document.get("disclosures", {}) if isinstance(document, Mapping) else {}
    texts = known.get(name, {}).get("texts", {})
    for tag in (language, language.split("-")[0]):
        if tag in texts:
            return str(texts[tag])
    raise NoDisclosure(f"the disclosure {name!r} has no words in {language}")
