"""The most that one call of a flow can last and cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis
from trunkline.graph.spenders import spenders, total_micros
from trunkline_runtime.table.parts import DEFAULT_MAX_MINUTES


@dataclass(frozen=True)
class WorstCase:
    """Minutes, and what all tools do and cost if each runs as often as it may.

    `micros` is by currency, in millionths of its unit; `calls` by effect. The tools of subagents
    and of the flows that the call may go on in by a link are counted; the minutes are the flow's.
    """

    minutes: float
    micros: Mapping[str, int]
    calls: Mapping[str, int]


def worst_case(analysis: Analysis) -> WorstCase:
    """The worst case of a flow. A tool that several nodes grant counts with each of them."""
    calls: dict[str, int] = {}
    spent = spenders(analysis)
    micros = total_micros(spent)
    for spender in spent:
        for effect in spender.entry.effects:
            calls[effect] = calls.get(effect, 0) + spender.calls
    minutes = float(analysis.inlined.whole.limits.get("max_minutes", DEFAULT_MAX_MINUTES))
    return WorstCase(minutes, dict(sorted(micros.items())), dict(sorted(calls.items())))
