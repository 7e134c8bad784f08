"""One of several choices: by its words, by a part that only one of them has, or by its place."""

import re
from collections.abc import Sequence

from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.table.canonical import Json

_PLACES = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "sixth": 5,
    "last": -1,
}
_PLACE = re.compile(r"^(?:the )?(?P<place>[a-z]+)(?: one| option| choice)?$")


def one_of(raw: Json, choices: Sequence[str]) -> str:
    """The choice that was meant, as it is written in the list. Raises NotUnderstood."""
    if not choices:
        raise NotUnderstood("the choices are not known yet")
    if not isinstance(raw, str):
        raise NotUnderstood(_among(choices))
    said = _bare(raw)
    for choice in choices:
        if _bare(choice) == said:
            return choice
    place = _PLACE.match(said)
    if place and (index := _PLACES.get(place["place"])) is not None and index < len(choices):
        return choices[index]
    # a part of exactly one choice, and whole words of it: "nine thirty" but not "i"
    fitting = [
        choice for choice in choices if said and re.search(rf"\b{re.escape(said)}\b", _bare(choice))
    ]
    if len(fitting) == 1:
        return fitting[0]
    raise NotUnderstood(_among(choices))


def _bare(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s:+-]", " ", text.lower().replace("_", " ")).split())


def _among(choices: Sequence[str]) -> str:
    return "it must be one of: " + ", ".join(choices[:12])
