"""Scenario tests for programs: every result and all of the coverage (version 1 of this form)."""

import json
from collections.abc import Sequence
from typing import Any

from trunkline.scenario.coverage import Coverage
from trunkline.scenario.result import Result, Sight
from trunkline.scenario.spot import Spot


def as_json(results: Sequence[Result], coverage: Sequence[Coverage], below: Sequence[str]) -> str:
    """Everything about a run; `below` are the floors of coverage that are not met."""
    failed = sum(not result.passed for result in results)
    document = {
        "version": 1,
        "scenarios": [_result(result) for result in results],
        "coverage": [_coverage(each) for each in coverage],
        "below": list(below),
        "summary": {"passed": len(results) - failed, "failed": failed},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _result(result: Result) -> dict[str, Any]:
    return {
        "tenant": result.tenant,
        "flow": result.flow,
        "path": result.path,
        "line": result.line,
        "label": result.label,
        "passed": result.passed,
        "seconds": round(result.seconds, 3),
        "faults": [
            {"what": fault.what, "expected": fault.expected, "actual": fault.actual}
            for fault in result.faults
        ],
        "sight": _sight(result.sight) if result.sight is not None else None,
    }


def _sight(sight: Sight) -> dict[str, Any]:
    return {
        "story": list(sight.story),
        "flow": sight.flow,
        "node": sight.node,
        "turned": sight.turned,
        "exits": [
            {
                "to": each.to,
                "when": each.when,
                "open": each.open,
                "why": each.why,
                "path": each.path,
                "line": each.line,
            }
            for each in sight.exits
        ],
    }


def _coverage(coverage: Coverage) -> dict[str, Any]:
    return {
        "name": coverage.name,
        **{
            f"{kind}s": {"reached": reached, "there": there}
            for kind, reached, there in coverage.counts()
        },
        "missed": [_spot(spot) for spot in coverage.missed],
    }


def _spot(spot: Spot) -> dict[str, Any]:
    return {"kind": spot.kind, "path": spot.path, "line": spot.line, "what": spot.words}
