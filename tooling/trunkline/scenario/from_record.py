"""Makes a scenario of the record of a real call: the same course, with nobody's data in it.

A record holds no words, so what is said is left to be filled in. Slots, inputs and the number get
stand-ins; results of tools are made up so that the same facts follow. The draft is played and
mended until the script fits the flow.
"""

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trunkline.compile import compile_repository
from trunkline.failure import FatalError
from trunkline.scenario.recorded_answers import answers_of
from trunkline.scenario.recorded_turns import turns_of
from trunkline.scenario.result import Result
from trunkline.scenario.stage import Scenery, Stage, stage
from trunkline.scenario.stand_ins import NUMBER, shaped, stand_in
from trunkline.scenario.suite import Suite
from trunkline_runtime.failure import FatalError as Unusable
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.replay.recorded import read_document
from trunkline_runtime.script.scenario import Scenario
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import TalkNode, TransferNode

_ANSWERED = "(what the agent said)"
_SHORT = re.compile(r"(?:at the beginning|in turn (\d+)), .* is asked (\d+) time")
_LEFT = re.compile(r"(?:at the beginning|in turn (\d+)), .* (\d+) generation\(s\) .* left over")
_TRIES = 60
_MOST_MASKED = 3


def record_in(path: Path, call_id: str | None) -> Mapping[str, Any]:
    """The record in a file, as `replay` reads it: of several calls, that of `call_id`.

    Raises FatalError for a file that holds no record, or several and none is named.
    """
    try:
        return read_document(path, call_id)
    except Unusable as problem:
        raise FatalError(str(problem)) from None


def scenario_of(root: Path, record: Mapping[str, Any]) -> tuple[dict[str, Any], Result]:
    """The document of a scenario, and what came of playing it on the working tree.

    Raises FatalError for a record of another form, or of a flow that is not there.
    """
    if record.get("version") != 1 or not isinstance(record.get("path"), list):
        raise FatalError("this is no record of a call, as `trunkline-runtime call` prints one")
    tenant, flow = str(record["tenant"]), str(record["path"][0]["flow"] if record["path"] else "")
    compiled = compile_repository(root)
    scenery = Scenery.of(compiled, {tenant})
    release = scenery.releases.get(tenant)
    if release is None or flow not in release.tables:
        raise FatalError(
            f"{tenant}/{flow} is not there or has errors: `trunkline check` tells more"
        )
    table = release.tables[flow]
    masked = [
        name
        for name, slot in table.slots.items()
        if slot.pii and slot.type == "boolean" and name in record["slots"]
    ][:_MOST_MASKED]
    tried: list[tuple[dict[str, Any], Result]] = []
    with stage(scenery) as here:
        # A yes or no that is personal is not on record, and the way may hang on it.
        for answers in itertools.product((False, True), repeat=len(masked)):
            draft = _draft(release, table, record, dict(zip(masked, answers, strict=True)))
            tried.append((draft, _mended(here, tenant, flow, draft)))
            if tried[-1][1].passed:
                break
    return min(tried, key=lambda each: len(each[1].faults))


def _mended(here: Stage, tenant: str, flow: str, document: dict[str, Any]) -> Result:
    """Adds and takes away words of the model until each turn has what the flow asks for."""
    for _ in range(_TRIES):
        suite = Suite(tenant, flow, "", (Scenario.from_document(document),), (1,))
        result = here.play(suite, 0)
        misfit = next((f.actual for f in result.faults if f.what == "script"), "")
        short, left = _SHORT.search(misfit), _LEFT.search(misfit)
        found = short or left
        if found is None:
            return result
        turn = document["turns"][int(found[1] or 0)]
        if short:
            turn.setdefault("model", []).extend({"say": _ANSWERED} for _ in range(int(short[2])))
        else:
            del turn["model"][len(turn["model"]) - int(found[2]) :]
    return result


def _draft(
    release: Release, table: NodeTable, record: Mapping[str, Any], guessed: Mapping[str, bool]
) -> dict[str, Any]:
    slots = {**_slots(table, record), **guessed}
    document: dict[str, Any] = {
        "label": f"a call that ended with {record['outcome']}",
        "at": record["started"],
        "number": NUMBER,
    }
    if table.inputs:
        document["inputs"] = _inputs(table, record)
    if record.get("answered_by"):
        document["answered_by"] = record["answered_by"]
    if absent := sorted(set(_absent(table, record))):
        document["absent"] = absent
    if answers := answers_of(release, table, record, slots):
        document["tools"] = answers
    document["turns"] = turns_of(table, record, slots)
    document["expect"] = {
        "nodes": [step["node"] for step in record["path"] if step["node"]],
        "outcome": record["outcome"],
        "tools": [
            {"tool": tool["tool"]} for tool in record["tools"] if tool["outcome"] != "refused"
        ],
        "facts": sorted(record["facts"]),
    }
    return document


def _absent(table: NodeTable, record: Mapping[str, Any]) -> Iterator[str]:
    """The numbers of transfers that did not come about."""
    for step, following in itertools.pairwise(record["path"]):
        node = table.nodes.get(step["node"])
        if following["cause"] == "on_failure" and isinstance(node, TransferNode):
            if isinstance(node.number, str):
                yield node.number
            else:
                yield from node.number.names.values()
                yield from filter(None, [node.number.default])


def _slots(table: NodeTable, record: Mapping[str, Any]) -> dict[str, Any]:
    known = record["slots"]
    return {
        name: stand_in(name, slot, known[name]["value"])
        for name, slot in table.slots.items()
        if name in known
    }


def _inputs(table: NodeTable, record: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs are not on record; the arguments that tools got of them are."""
    seen: dict[str, Any] = {}
    for node in table.nodes.values():
        for use in node.tools if isinstance(node, TalkNode) else ():
            for argument, bound in use.bind.items():
                for tool in record["tools"]:
                    if tool["tool"] == use.id and str(bound).startswith("inputs."):
                        seen[str(bound)[7:]] = tool["args"].get(argument)
    for use in table.after_call:
        for argument, bound in use.bind.items():
            for tool in record["tools"]:
                if tool["tool"] == use.id and str(bound).startswith("inputs."):
                    seen.setdefault(str(bound)[7:], tool["args"].get(argument))
    return {
        name: shaped(seen[name]) if isinstance(seen.get(name), str) else stand_in(name, slot, None)
        for name, slot in table.inputs.items()
    }
