"""A short run of the swap bench: a swap of nodes beside that of livekit-agents, at one time."""

import importlib.util
import statistics
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench/swap_cost.py"
# `make bench` takes 500 for its median.
COUNT, WARM = 40, 10


async def test_a_swap_costs_at_most_a_quarter_more_than_livekits_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = importlib.util.spec_from_file_location("swap_cost", BENCH)
    assert made is not None
    assert made.loader is not None
    bench: Any = importlib.util.module_from_spec(made)
    made.loader.exec_module(bench)
    assert (bench.MESSAGES, bench.CATALOGUE) == (60, 60)
    monkeypatch.setattr(bench, "WARM", WARM)
    ours, theirs = (await bench.compared(COUNT))["swap"]
    assert len(ours) == len(theirs) == COUNT
    ratio = statistics.median(ours) / statistics.median(theirs)
    assert ratio <= 1.25, f"{ratio:.2f} times"
