"""Every tool that one call can run, with how often at most: what its worst case is made of."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis, analyse
from trunkline.model.nodes import LinkNode
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.catalogue.entry import ToolEntry


@dataclass(frozen=True)
class Spender:
    """A tool on a node of a flow, at most `calls` times in one call.

    `use` is the grant that stands in a file; a tool that a subagent uses has its subagent's, and
    `node` then names both, as the gate does.
    """

    flow: str
    node: str
    entry: ToolEntry
    calls: int
    use: ToolUse

    @property
    def micros(self) -> int:
        """What it costs at most, in millionths of its currency's unit."""
        cost = self.entry.cost
        return 0 if cost is None else self.calls * cost.worst_micros


def spenders(analysis: Analysis) -> tuple[Spender, ...]:
    """The tools of a flow and of the flows that a call may go on in by links, each flow once."""
    found: list[Spender] = []
    waiting, seen = [analysis], {analysis.inlined.flow.id}
    while waiting:
        here = waiting.pop(0)
        found += _of_flow(here)
        for inner in here.inlined.nodes.values():
            if isinstance(inner.node, LinkNode) and inner.node.flow not in seen:
                seen.add(inner.node.flow)
                tenant = here.inlined.tenant
                linked = here.repository.flows.get((tenant, inner.node.flow))
                if linked is not None:
                    waiting.append(analyse(here.repository, tenant, linked))
    return tuple(found)


def _of_flow(analysis: Analysis) -> Iterator[Spender]:
    granted = [(inner.id, use) for inner, use in analysis.inlined.uses()]
    granted += [("", use) for use in analysis.inlined.whole.after_call]
    flow, entries = analysis.inlined.flow.id, analysis.catalogue.entries
    for node, use in granted:
        entry = entries.get(use.id)
        if entry is None:
            continue
        yield Spender(flow, node, entry, use.max_calls, use)
        # Subagents may use subagents; the gate counts what each does, whoever called it.
        waiting, seen = [entry], {entry.id}
        while waiting:
            subagent = waiting.pop()
            for tool, calls in subagent.nested_calls.items():
                if tool in entries:
                    yield Spender(flow, f"{node}/{subagent.id}", entries[tool], calls, use)
                if tool in entries and tool not in seen:
                    seen.add(tool)
                    waiting.append(entries[tool])


def total_micros(spent: Iterable[Spender]) -> dict[str, int]:
    """Currency → what all of them cost together, in millionths of its unit."""
    totals: dict[str, int] = {}
    for spender in spent:
        if spender.entry.cost is not None:
            currency = spender.entry.cost.currency
            totals[currency] = totals.get(currency, 0) + spender.micros
    return totals
