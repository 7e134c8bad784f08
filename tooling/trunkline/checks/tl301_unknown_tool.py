"""TL301: a tool that is not in the catalogue.

Finds: a tool of a node, of `after_call` or of `choices_from`, or one that a subagent may use or
that fills an enum (`x-enum-from`), without an entry under `catalog/tools/`. The nearest id is told.

On the phone: the agent would not have the tool, and whatever the tool was to prove stays unproven.

Fails:

    pay:
      tools: [take_payments]

Passes:

    pay:
      tools: [take_payment]
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at, misspelt
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.catalogue import Catalogue
from trunkline.model.nodes import TalkNode
from trunkline.model.place import Place
from trunkline.model.repository import Repository
from trunkline.nearest import did_you_mean
from trunkline_runtime.catalogue.entry import ENUM_FROM

CODE = "TL301"


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each tool that a file of the flow names and the catalogue does not have."""
    catalogue = analysis.catalogue
    for scope in analysis.inlined.scopes:
        uses = list(scope.flow.after_call)
        for node in scope.flow.nodes.values():
            if isinstance(node, TalkNode):
                uses += node.tools
        for use in uses:
            yield from _unknown(catalogue, use.id, use.id_place)
        for slot in scope.flow.slots.values():
            if slot.choices_from is not None:
                tool = slot.choices_from.split(".")[0]
                yield from _unknown(catalogue, tool, slot.place.at("choices_from"))


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """Each tool that another one needs and that does not exist."""
    catalogue = repository.catalogue
    for id, entry in catalogue.entries.items():
        for index, tool in enumerate(entry.run.get("subagent", {}).get("tools", ())):
            place = catalogue.places[id].at("run", "subagent", "tools", index)
            yield from _unknown(catalogue, tool, place)
        for argument, source in entry.enum_sources.items():
            place = catalogue.places[id].at("parameters", "properties", argument, ENUM_FROM)
            yield from _unknown(catalogue, source.partition(".")[0], place)


def _unknown(catalogue: Catalogue, tool: str, place: Place) -> Iterator[Finding]:
    if tool not in catalogue.entries and tool not in catalogue.unreadable:
        message = f"the catalogue has no tool `{tool}`"
        nearest = did_you_mean(tool, catalogue.entries)
        help = nearest or f"Compliance would add it as catalog/tools/<connection>/{tool}.yaml."
        found = error_at(CODE, place, message, help)
        # These name a list in the result behind the tool's id.
        named = place.keys[-1:] not in (("choices_from",), (ENUM_FROM,))
        yield misspelt(found, tool, catalogue.entries) if named else found
