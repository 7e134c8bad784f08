"""`replay RECORD --against STORE|REV`: a recorded call's decisions, put to another release."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from trunkline_runtime.commands.counting import counted
from trunkline_runtime.commands.options import format_option, into_option
from trunkline_runtime.replay.against import Against, against
from trunkline_runtime.replay.difference import Difference
from trunkline_runtime.replay.recorded import Recorded, read_record
from trunkline_runtime.replay.walk import Walk
from trunkline_runtime.table.canonical import Json


@click.command("replay")
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--against",
    "target",
    metavar="STORE|REV",
    required=True,
    help="A store (a folder or oci://HOST/PREFIX), a tag that was pulled (v12), the folder of a "
    "repository, or a git revision of the one here.",
)
@click.option("--tag", help="A release of the store, other than the one that `stable` takes.")
@click.option("--call", "call_id", metavar="ID", help="The call, where RECORD holds several.")
@into_option
@format_option
def command(
    record: Path, target: str, tag: str | None, call_id: str | None, cache: Path, form: str
) -> int:
    """Say where a recorded call would go differently on another release.

    RECORD is the file that a worker or `call --format json` wrote. Its moves, refused moves, tools
    and the gate's decisions on facts are judged by what the call knew then. Windows, lists and
    spend were those of that day and are not asked again. The exit code is 1 if anything differs or
    can't be told, and 0 if the call would go the same way in the same words.
    """
    recorded = read_record(record, call_id)
    with against(target, recorded, tag, cache) as other:
        walk = Walk(recorded, other.release, other.policy, other.before)
        found = walk.differences()
        print_ = _as_json if form == "json" else _as_text
        click.echo(print_(recorded, other, found))
    return int(bool(found))


def _notes(recorded: Recorded, other: Against) -> list[str]:
    if other.before is None:
        return [
            f"the release that the call ran on ({recorded.tag}) is not to be had here, so words "
            "and numbers are not compared"
        ]
    return []


def _as_text(recorded: Recorded, other: Against, found: Sequence[Difference]) -> str:
    ran = f"{recorded.tenant}/{recorded.first_flow} {recorded.tag}"
    lines = [f"call {recorded.call_id} on {ran}, against {other.name}"]
    shown = 0
    for difference in found:
        if difference.step != shown:
            shown = difference.step
            lines.append(f"{_step(recorded, shown)}")
        at = f" at {difference.node}:" if difference.node else ""
        lines.append(f"    {difference.kind}:{at} {difference.message}")
    elsewhere = next((one for one in found if one.leads_elsewhere), None)
    if elsewhere is not None:
        lines.append(f"The call goes differently from step {elsewhere.step} on.")
    elif any(one.kind == "unclear" for one in found):
        lines.append("The call goes the same way, as far as that can be told.")
    elif found:
        lines.append("The call goes the same way in other words.")
    else:
        lines.append(f"The call goes the same way: {counted(len(recorded.path), 'step')}.")
    return "\n".join([*lines, *(f"Note: {note}." for note in _notes(recorded, other))])


def _step(recorded: Recorded, number: int) -> str:
    if not recorded.path:
        return f"no node was entered (the call ended as {recorded.outcome})"
    step = recorded.path[number - 1]
    before = recorded.path[number - 2].node if number > 1 else ""
    way = f"{before} → {step.node or 'the end'}" if before else step.node
    return f"step {number}  {way}  ({step.reason})"


def _as_json(recorded: Recorded, other: Against, found: Sequence[Difference]) -> str:
    elsewhere = next((one.step for one in found if one.leads_elsewhere), None)
    document: dict[str, Json] = {
        "version": 1,
        "call_id": recorded.call_id,
        "tenant": recorded.tenant,
        "ran_on": {"release": recorded.tag, "manifest": recorded.manifest},
        "against": {"name": other.name, "manifest": other.release.digest},
        "steps": len(recorded.path),
        "same": not found,
        "goes_differently_from": elsewhere,
        "differences": [difference.to_json() for difference in found],
        "notes": list(_notes(recorded, other)),
    }
    return json.dumps(document, indent=2, ensure_ascii=False)
