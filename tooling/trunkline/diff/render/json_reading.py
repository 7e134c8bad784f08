"""The report back from JSON, which a stranger may have written."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trunkline.diff.acceptance import Acceptance
from trunkline.diff.change import Change, FlowId, Variant
from trunkline.diff.compared import NOTHING_SAID, Compared
from trunkline.diff.kinds import KINDS
from trunkline.diff.level import LEVELS
from trunkline.diff.picture import Picture, PictureEdge, PictureNode, Status
from trunkline.diff.render.json_report import VERSION
from trunkline.diff.report import LeftOut, Report

_DEEPEST = 60


class NotAReport(ValueError):
    """The JSON is not what `trunkline diff --format json` writes; the message says where."""


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
        compared=_compared_of(details.get("compared")),
    )


def _compared_of(given: object) -> Compared:
    if given is None:  # older versions did not write it
        return NOTHING_SAID
    one = _mapping(given)
    return Compared(
        base_name=_text(one["base_name"]),
        head_name=_text(one["head_name"]),
        flows=int(one["flows"]),
        judged=_texts(one["judged"]),
        others=tuple((_text(word), int(number)) for word, number in _list(one["others"])),
        directions=tuple(
            ((_text(tenant), _text(flow)), _text(direction))
            for tenant, flow, direction in _list(one["directions"])
        ),
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
        trace=_texts(more["trace"]),
        cause=_text(more["cause"]),
        variants=tuple(
            Variant(_flows(variant["affects"]), variant["before"], variant["after"])
            for variant in _list(more["variants"])
        ),
        # What older versions did not write.
        why=_text(more.get("why", "")),
        nodes=tuple(_texts(nodes) for nodes in _list(more.get("nodes", []))),
        effect_of=_hexadecimal(more["effect_of"]) if more.get("effect_of") else "",
    )


def _picture_of(one: Mapping[str, Any]) -> Picture:
    return Picture(
        _text(one["tenant"]),
        _text(one["flow"]),
        nodes=tuple(
            PictureNode(_text(id), _status(status), _text(line), bool(on_path), *map(int, cut))
            for id, status, line, on_path, *cut in _list(one["nodes"])
        ),
        edges=tuple(
            PictureEdge(
                *(_text(source), _text(target), _status(status), _text(label)), *map(bool, on_path)
            )
            for source, target, status, label, *on_path in _list(one["edges"])
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


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(item) for item in _list(value))


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
