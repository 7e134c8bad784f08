"""The report as JSON: what one run writes, another may render (see json_reading)."""

from typing import Any

from trunkline.diff.change import Change
from trunkline.diff.compared import Compared
from trunkline.diff.picture import Picture
from trunkline.diff.report import Report

VERSION = 1


def to_json(report: Report) -> dict[str, Any]:
    """`changes` as the design has them; what else a comment needs stands under `details`.

    `details.changes` stand in the order of `changes`.
    """
    return {
        "version": VERSION,
        "base": report.base,
        "head": report.head,
        "changes": [_change(change) for change in report.changes],
        "details": {
            "changes": [_detail(change, report) for change in report.changes],
            "left_out": [
                {
                    "what": one.what,
                    "revision": one.revision,
                    "whole": one.whole,
                    "reason": one.reason,
                }
                for one in report.left_out
            ],
            "pictures": [_picture(picture) for picture in report.pictures],
            "compared": _compared(report.compared),
        },
    }


def _compared(compared: Compared) -> dict[str, Any]:
    return {
        "base_name": compared.base_name,
        "head_name": compared.head_name,
        "flows": compared.flows,
        "judged": list(compared.judged),
        "others": [list(one) for one in compared.others],
        "directions": [[*flow, direction] for flow, direction in compared.directions],
    }


def _change(change: Change) -> dict[str, Any]:
    return {
        "level": change.level.word,
        "kind": change.kind,
        "tenant": change.tenant,
        "flow": change.flow,
        "node": change.node,
        "message": change.message,
        "fingerprint": change.fingerprint,
        "before": change.before,
        "after": change.after,
    }


def _detail(change: Change, report: Report) -> dict[str, Any]:
    accepted = report.accepted.get(change.fingerprint)
    return {
        "affects": [list(flow) for flow in change.affects],
        "nodes": [list(nodes) for nodes in change.nodes],
        "trace": list(change.trace),
        "cause": change.cause,
        "effect_of": change.effect_of,
        "why": change.why,
        "variants": [
            {
                "affects": [list(flow) for flow in one.affects],
                "before": one.before,
                "after": one.after,
            }
            for one in change.variants
        ],
        "accepted": None
        if accepted is None
        else {"reason": accepted.reason, "approver": accepted.approver},
    }


def _picture(picture: Picture) -> dict[str, Any]:
    return {
        "tenant": picture.tenant,
        "flow": picture.flow,
        "nodes": [
            [node.id, node.status, node.line, node.on_path, node.cut] for node in picture.nodes
        ],
        "edges": [
            [edge.source, edge.target, edge.status, edge.label, edge.on_path]
            for edge in picture.edges
        ],
        "alike": [list(flow) for flow in picture.alike],
        "left_out": picture.left_out,
    }
