"""The most that one call of a flow can last and cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from trunkline.graph.analysis import Analysis
from trunkline_runtime.table.parts import DEFAULT_MAX_MINUTES


@dataclass(frozen=True)
class WorstCase:
    """Minutes, and what all tools of the flow do and cost if each runs `max_calls` times.

    `micros` is by currency, in millionths of its unit; `calls` by effect. Flows that the call may
    go on in by a link are not counted.
    """

    minutes: float
    micros: Mapping[str, int]
    calls: Mapping[str, int]


def worst_case(analysis: Analysis) -> WorstCase:
    """The worst case of a flow. A tool that several nodes grant counts with each of them."""
    micros: dict[str, int] = {}
    calls: dict[str, int] = {}
    whole = analysis.inlined.whole
    uses = [*(use for _, use in analysis.inlined.uses()), *whole.after_call]
    for use in uses:
        entry = analysis.catalogue.entries.get(use.id)
        if entry is None:
            continue
        for effect in entry.effects:
            calls[effect] = calls.get(effect, 0) + use.max_calls
        if entry.cost is not None:
            most = use.max_calls * entry.cost.worst_micros
            micros[entry.cost.currency] = micros.get(entry.cost.currency, 0) + most
    minutes = float(whole.limits.get("max_minutes", DEFAULT_MAX_MINUTES))
    return WorstCase(minutes, dict(sorted(micros.items())), dict(sorted(calls.items())))
