"""The report as JSON, and back: what one run writes, another may render."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.diff.acceptance import Acceptance
from trunkline.diff.change import Change, FlowId, Variant
from trunkline.diff.kinds import KINDS
from trunkline.diff.level import LEVELS
from trunkline.diff.picture import Picture, PictureEdge, PictureNode, Status
from trunkline.diff.report import LeftOut, Report

VERSION = 1
_DEEPEST = 60


class NotAReport(ValueError):
    """The JSON is not what `trunkline diff --format json` writes; the message says where."""


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
        },
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
        "trace": list(change.trace),
        "cause": change.cause,
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
        "nodes": [[node.id, node.status, node.line, node.on_path] for node in picture.nodes],
        "edges": [[edge.source, edge.target, edge.status, edge.label] for edge in picture.edges],
        "alike": [list(flow) for flow in picture.alike],
        "left_out": picture.left_out,
    }


def from_json(document: object) -> Report:
    """The report that `to_json` wrote. Raises NotAReport: the JSON may come from a stranger."""
    try:
        if _depth(document, _DEEPEST) > _DEEPEST:
            raise ValueError("it is nested too deep")
        return _report(_mapping(document))
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise NotAReport(f"this is no comparison by trunkline diff: {problem}") from None


def _report(document: Mapping[str, Any]) -> Report:
    if document["version"] != VERSION:
        raise ValueError(f"its version is {document['version']!r}")
    details = _mapping(document["details"])
    pairs = list(zip(_list(document["changes"]), _list(details["changes"]), strict=True))
    changes = tuple(_change_of(_mapping(one), _mapping(more)) for one, more in pairs)
    accepted = {
        change.fingerprint: Acceptance(
            change.fingerprint,
            _text(more["accepted"]["reason"]),
            _text(more["accepted"]["approver"]),
        )
        for change, (_, more) in zip(changes, pairs, strict=True)
        if more["accepted"] is not None
    }
    return Report(
        base=_text(document["base"]),
        head=_text(document["head"]),
        changes=changes,
        accepted=accepted,
        left_out=tuple(
            LeftOut(
                _text(one["what"]), _text(one["revision"]), bool(one["whole"]), _text(one["reason"])
            )
            for one in _list(details["left_out"])
        ),
        pictures=tuple(_picture_of(_mapping(one)) for one in _list(details["pictures"])),
    )


def _change_of(one: Mapping[str, Any], more: Mapping[str, Any]) -> Change:
    if one["kind"] not in KINDS:
        raise ValueError("a kind of change that is not known")
    return Change(
        level=LEVELS[_text(one["level"])],
        kind=one["kind"],
        tenant=_maybe(one["tenant"]),
        flow=_maybe(one["flow"]),
        node=_maybe(one["node"]),
        message=_text(one["message"]),
        fingerprint=_hexadecimal(one["fingerprint"]),
        before=one["before"],
        after=one["after"],
        affects=_flows(more["affects"]),
        trace=tuple(_text(node) for node in _list(more["trace"])),
        cause=_text(more["cause"]),
        variants=tuple(
            Variant(_flows(variant["affects"]), variant["before"], variant["after"])
            for variant in _list(more["variants"])
        ),
    )


def _picture_of(one: Mapping[str, Any]) -> Picture:
    return Picture(
        _text(one["tenant"]),
        _text(one["flow"]),
        nodes=tuple(
            PictureNode(_text(id), _status(status), _text(line), bool(on_path))
            for id, status, line, on_path in _list(one["nodes"])
        ),
        edges=tuple(
            PictureEdge(_text(source), _text(target), _status(status), _text(label))
            for source, target, status, label in _list(one["edges"])
        ),
        alike=_flows(one["alike"]),
        left_out=int(one["left_out"]),
    )


def _depth(value: object, left: int) -> int:
    """How deep a value is nested; no deeper than one more than `left` is looked."""
    if left < 0 or not isinstance(value, dict | list):
        return 0
    inner = value.values() if isinstance(value, dict) else value
    return 1 + max((_depth(item, left - 1) for item in inner), default=0)


def _mapping(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError("an object is missing")
    return value


def _list(value: object) -> Sequence[Any]:
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _maybe(value: object) -> str | None:
    return None if value is None else _text(value)


def _hexadecimal(value: object) -> str:
    text = _text(value)
    if re.fullmatch(r"[0-9a-f]{8,64}", text) is None:
        raise ValueError("a fingerprint that is none")
    return text


def _status(value: object) -> Status:
    for status in ("same", "added", "removed", "changed"):
        if value == status:
            return status
    raise ValueError("an unknown status")


def _flows(value: object) -> tuple[FlowId, ...]:
    return tuple((_text(tenant), _text(flow)) for tenant, flow in _list(value))
