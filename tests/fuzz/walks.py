"""Simulated calls of a flow that `check` has accepted."""

from random import Random

from walk import Walk

from trunkline.compile import Compiled

KEY = ("acme", "flow")


def walks_over(accepted: Compiled, seed: int, count: int) -> list[Walk]:
    """Simulated calls of the compiled flow. Raises Broken for what no accepted flow may show."""
    analysis = accepted.analyses[KEY]
    walks = []
    for number in range(count):
        walk = Walk(
            table=accepted.tables[KEY],
            entries=accepted.entries,
            required=analysis.required_facts,
            chance=Random(seed * 1_000 + number),
            facts_known=analysis.catalogue.fact_names,
        )
        walk.run()
        walks.append(walk)
    return walks
