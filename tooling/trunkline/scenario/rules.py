"""Which rules of the policy scenarios see: allowing, and denying."""

from collections.abc import Iterator

from trunkline.policy.reading import read_rules
from trunkline.scenario.coverage import Coverage
from trunkline.scenario.result import Way
from trunkline.scenario.spot import Spot
from trunkline.scenario.ways import RULE
from trunkline.source.repository import Sources


def rules_reached(sources: Sources, ways: frozenset[Way]) -> tuple[Coverage, ...]:
    """The platform's rules about single actions, each to be seen allowing and denying.

    Obligations about the shape of a flow are proven when it is compiled. Empty without a policy.
    """
    spots = tuple(_spots(sources))
    if not spots:
        return ()
    return (Coverage("", "", spots, tuple(spot for spot in spots if spot.way not in ways)),)


def _spots(sources: Sources) -> Iterator[Spot]:
    rules = read_rules(sources)
    shapes = {rule.id for rule in rules.obligations or ()}
    wanted = {rule.id for rule in rules.of_platform()} - shapes
    for document in sources.documents.values():
        if not document.path.startswith("policy/") or document.path.startswith("policy/tests/"):
            continue
        for path, value in _ids(document.data):
            if value in wanted:
                line = document.mark(path).line
                for verdict in ("allowed", "denied"):
                    words = f"{value} {verdict}"
                    yield Spot((RULE, value, verdict), document.path, line, words)


def _ids(
    value: object, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every `id` in a document, with the way to it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "id" and isinstance(inner, str):
                yield (*path, key), inner
            else:
                yield from _ids(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _ids(inner, (*path, index))
