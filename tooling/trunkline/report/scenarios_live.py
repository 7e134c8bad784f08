"""Runs with real models, told: what is steady, flaky or broken, with time, tokens and cost."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from trunkline.report.printable import printable
from trunkline.report.scenarios import story
from trunkline.report.terminal import drawn_lines
from trunkline.scenario.live_run import LiveResult
from trunkline.scenario.usage import Price, Usage

_COLOUR = {"steady": "green", "flaky": "yellow", "broken": "bold red"}


def live_text(results: Sequence[LiveResult], price: Price | None) -> str:
    """The story of each run that failed, a line for each scenario, and the sums."""
    return drawn_lines(_lines(results, price))


def _lines(results: Sequence[LiveResult], price: Price | None) -> Iterator[Text]:
    for result in results:
        for run in result.runs:
            if not run.passed:
                yield from story(run)
                yield Text()
    for result in results:
        yield Text.assemble(
            (f"{result.steadiness:<7}", _COLOUR[result.steadiness]),
            f"  {result.passed}/{len(result.runs)}  {printable(result.name)}"
            f"  ({result.seconds:.1f} s, {_tokens(result.usage, price)})",
        )
    counts = ", ".join(
        f"{sum(result.steadiness == kind for result in results)} {kind}" for kind in _COLOUR
    )
    used = sum((result.usage for result in results), Usage())
    seconds = sum(result.seconds for result in results)
    yield Text(f"{counts} in {seconds:.1f} s, {_tokens(used, price)}")


def _tokens(usage: Usage, price: Price | None) -> str:
    cost = f", ${usage.dollars(price):.4f}" if price is not None else ""
    return f"{usage.read} + {usage.written} tokens{cost}"


def live_json(results: Sequence[LiveResult], price: Price | None) -> str:
    """Every run (version 1 of this form)."""
    document = {
        "version": 1,
        "scenarios": [_result(result, price) for result in results],
        "summary": {kind: sum(result.steadiness == kind for result in results) for kind in _COLOUR},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _result(result: LiveResult, price: Price | None) -> dict[str, Any]:
    return {
        "name": result.name,
        "steadiness": result.steadiness,
        "passed": result.passed,
        "seconds": round(result.seconds, 3),
        "tokens": {"read": result.usage.read, "written": result.usage.written},
        "dollars": round(result.usage.dollars(price), 6) if price is not None else None,
        "runs": [
            {
                "passed": run.passed,
                "outcome": run.outcome,
                "seconds": round(run.seconds, 3),
                "faults": [
                    {"what": fault.what, "expected": fault.expected, "actual": fault.actual}
                    for fault in run.faults
                ],
                "story": list(run.sight.story) if run.sight is not None else None,
            }
            for run in result.runs
        ],
    }
