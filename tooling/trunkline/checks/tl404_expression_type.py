"""TL404: an expression that does not fit the types around it.

Finds: a condition (`if`) that is no yes/no value, an argument (`with`) that does not fit the tool's
schema, a result (`sets`) that does not fit its slot, a param that does not fit its declaration; in
the catalogue an `establishes`, `subject`, `cost` or request that does not fit the tool's schemas.
In all of them: an unknown name, a comparison of different types, a syntax error. The finding stands
on the column of the fault.

On the phone: a condition that cannot be evaluated never holds, so the exit behind it stays shut.

Fails:

    edges:
      - {to: pay, if: slots.amount_due > 0}

Passes:

    edges:
      - {to: pay, if: slots.amount_due > 0.0}
"""

from collections.abc import Iterator

from trunkline.checks.expressions.of_catalogue import faults_of_entry
from trunkline.checks.expressions.of_flow import faults_of_flow
from trunkline.checks.expressions.of_params import faults_of_params
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.repository import Repository


def check(analysis: Analysis) -> Iterator[Finding]:
    """The faults in the expressions of every file of the flow."""
    if analysis.inlined.flow.use is not None and analysis.inlined.whole is analysis.inlined.flow:
        return
    for scope in analysis.inlined.scopes:
        yield from faults_of_flow(analysis, scope)
        yield from faults_of_params(analysis, scope)


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """The faults in the expressions of the catalogue."""
    catalogue = repository.catalogue
    for id, entry in catalogue.entries.items():
        yield from faults_of_entry(entry, catalogue.places[id])
