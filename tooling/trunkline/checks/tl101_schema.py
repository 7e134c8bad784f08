"""TL101: a file that does not fit its schema.

Finds: an unknown key (with the nearest known one), a missing key, a value of the wrong type or
beyond its bounds, a word that is not among the choices, an empty file, a folder of flows without
a `tenant.yaml`, a flow that is too large with all that it uses. Text that an unquoted comma has
torn apart inside braces is told as what it is.
The same schemas (`schemas/`) help in the editor while one types.

On the phone: a key that nobody knows does nothing. `colect: [postcode]` would be an agent that
never asks for the postcode.

Fails:

    edges:
      - {to: goodbye, when: they say no, or hang up}

Passes:

    edges:
      - {to: goodbye, when: "they say no, or hang up"}
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis


def check(analysis: Analysis) -> Iterator[Finding]:
    """A flow that no schema finds too large, and that is with its sub-flows and asides in place."""
    for obstacle in analysis.inlined.obstacles:
        if obstacle.kind == "size":
            message = "this flow is too large to be proven, with its sub-flows and asides in place"
            help = "Split it into flows that link to each other, or use fewer sub-flows and asides."
            yield error_at("TL101", obstacle.place, message, help)
