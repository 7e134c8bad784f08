"""TL304: a tool that cannot be run, or that no model can be held to.

Finds: in the catalogue, a Python tool whose module or function is not there or does not take the
tool's arguments (its source is read, nothing is imported); a request path with an argument that
does not exist or may be missing; an `x-enum-from` that is no `<tool>.<list in its result>`, stands
on no argument, or names a tool that needs arguments or does more than read; and in the `parameters`
of a tool, or the `result` of a subagent, what constrained decoders refuse or leave unenforced:
`uniqueItems`, `contains`, `not`, `if`, `dependentRequired` and its like, `propertyNames`,
`patternProperties`, formats other than `date` and `email`, patterns that look around, a `oneOf`
whose branches no constant tells apart, and every keyword that they do not know.

On the phone: the tool fails whenever it is called. Or one engine answers with an error and the
agent falls silent; another ignores the keyword, and the model sends what the tool then turns down.

Fails:

    parameters:
      type: object
      properties:
        days: {type: array, uniqueItems: true, items: {type: string}}

Passes:

    parameters:
      type: object
      properties:
        days: {type: array, maxItems: 7, items: {type: string}}
"""

from collections.abc import Iterator

from trunkline.checks.implementation.decodable import faults_of_schema
from trunkline.checks.implementation.enum_source import faults_of_enums
from trunkline.checks.implementation.python_function import faults_of_function
from trunkline.checks.implementation.request_path import faults_of_path
from trunkline.finding import Finding
from trunkline.model.repository import Repository


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """Tools that cannot be run, and schemas that decoders do not enforce."""
    catalogue = repository.catalogue
    for id, entry in catalogue.entries.items():
        place = catalogue.places[id]
        yield from faults_of_schema(entry.parameters, place.at("parameters"))
        if "subagent" in entry.run:
            yield from faults_of_schema(entry.result, place.at("result"))
        yield from faults_of_path(entry, place)
        yield from faults_of_enums(entry, catalogue)
        if repository.tree is not None:
            yield from faults_of_function(entry, place, repository.tree)
