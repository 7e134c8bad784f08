"""`trunkline-runtime audit`: verifies, searches and exports the record of decisions."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from trunkline_runtime.commands.options import format_option
from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.gate.chain import Verified, segment_paths, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.search import Wanted, found, with_settlements
from trunkline_runtime.gate.shipping import CopyDiffers, ship
from trunkline_runtime.policy.place import Unplaceable, place_of
from trunkline_runtime.state import state_folder
from trunkline_runtime.table.durable import replace_durably

_Command = TypeVar("_Command", bound=Callable[..., Any])


@click.group("audit")
def command() -> None:
    """Verifies, searches and exports the record of decisions."""


def _record_option(function: _Command) -> _Command:
    return click.option(
        "--record",
        "folder",
        type=click.Path(path_type=Path),
        default=lambda: state_folder() / "decisions",
        show_default="decisions in TRUNKLINE_STATE_DIR",
        help="Folder that holds the record.",
    )(function)


@command.command("verify")
@_record_option
@format_option
def verify_command(folder: Path, form: str) -> int:
    """Checks the whole chain: no line removed, none altered. Exit code 1 if one was."""
    _require(folder)
    result = _verified(folder)
    if form == "json":
        click.echo(json.dumps(_verified_json(result), indent=2))
    elif result.fault is None:
        click.echo(f"{result.lines} lines verify; the last one is {result.last.hash}")
    if result.fault is not None and form != "json":
        raise Refused(
            f"{result.fault.file} line {result.fault.line}: {result.fault.message}; "
            f"the {result.lines} lines before it verify"
        )
    return 0 if result.fault is None else 1


@command.command("find")
@_record_option
@format_option
@click.option("--number", help="The other party, in E.164.")
@click.option("--call", "call", help="The id of a call.")
@click.option("--decision", "decision", help="The id of a decision.")
@click.option("--tool", help="A tool.")
@click.option("--tenant", help="A tenant.")
@click.option("--answer", type=click.Choice(["allow", "deny"]), help="Only these.")
def find_command(folder: Path, form: str, number: str | None, **wanted: str | None) -> int:
    """Every record that matches; phone numbers appear as tokens only."""
    _require(folder)
    chosen = list(found(folder, Wanted(token=_token(number), **wanted)))
    if form == "json":
        click.echo(json.dumps({"version": 1, "records": chosen}, indent=2, ensure_ascii=False))
        return 0
    for record in chosen:
        click.echo(_line(record))
        if wanted["decision"] is not None:
            click.echo(_details(record), nl=False)
    click.echo(f"{len(chosen)} found", err=True)
    return 0


@command.command("export")
@_record_option
@click.option("--number", help="Everything about one person, in E.164.")
@click.option("--call", "call", help="Everything about one call.")
@click.option("--out", type=click.Path(path_type=Path), help="A file instead of the terminal.")
def export_command(folder: Path, number: str | None, call: str | None, out: Path | None) -> int:
    """The records of one call or one person as JSON, with whether the chain verifies."""
    if (number is None) == (call is None):
        raise FatalError("give --number or --call, one of the two")
    _require(folder)
    chosen = list(found(folder, Wanted(token=_token(number), call=call)))
    whole = with_settlements(folder, chosen)
    document = {"version": 1, "chain": _verified_json(_verified(folder)), "records": whole}
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    if out is None:
        click.echo(text, nl=False)
        return 0
    try:
        replace_durably(out, text.encode())
    except OSError as problem:
        raise FatalError(f"{out}: {problem.strerror}") from None
    click.echo(f"{len(whole)} records in {out}", err=True)
    return 0


@command.command("ship")
@_record_option
@click.option(
    "--to",
    "copy",
    required=True,
    type=click.Path(path_type=Path),
    help="A folder on another machine or disk. Run this often; it goes on where it stopped.",
)
def ship_command(folder: Path, copy: Path) -> int:
    """Copies what is new in the record, so that a lost machine takes no decision with it."""
    _require(folder)
    try:
        shipped = ship(folder, copy)
    except CopyDiffers as problem:
        raise Refused(
            f"{copy}: {problem}; `audit verify --record` tells which one verifies"
        ) from None
    except OSError as problem:
        raise FatalError(f"{copy}: {problem.strerror}") from None
    click.echo(f"{shipped.bytes} bytes of {shipped.files} files copied")
    return 0


def _require(folder: Path) -> None:
    if not segment_paths(folder):
        raise FatalError(f"{folder}: there is no record of decisions")


def _verified(folder: Path) -> Verified:
    head = folder / HEAD_FILE
    try:
        return verify(folder, head.read_text(encoding="ascii") if head.exists() else None)
    except (OSError, UnicodeDecodeError) as problem:
        raise FatalError(f"{folder}: the record cannot be read ({problem})") from None


def _verified_json(result: Verified) -> dict[str, Any]:
    fault = result.fault
    return {
        "verifies": fault is None,
        "lines": result.lines,
        "last": result.last.hash,
        "fault": None
        if fault is None
        else {"file": fault.file, "line": fault.line, "message": fault.message},
    }


def _token(number: str | None) -> str | None:
    """The token of a number; the key is this machine's. The number itself is never printed."""
    if number is None:
        return None
    try:
        place_of(number)
    except Unplaceable as problem:
        if not number.startswith("+"):
            raise FatalError(f"the number cannot be looked up: {problem}") from None
    return NumberKey.of_environment(state_folder()).token(number)


def _line(record: Mapping[str, Any]) -> str:
    what = record.get("tool") or record.get("scope") or record.get("contact") or ""
    answer = record.get("decision") if record.get("kind") in ("tool", "dial") else ""
    reasons = ", ".join(
        f"{reason['kind']}: {reason['rule']}" for reason in record.get("reasons") or ()
    )
    parts = (
        str(record.get("at", "")),
        str(record.get("kind", "")),
        str(what),
        str(answer or record.get("ending", "")),
        reasons,
        f"call {record['call']}" if record.get("call") else "",
        f"id {record['id']}" if record.get("id") else "",
    )
    return "  ".join(part for part in parts if part)


def _details(record: Mapping[str, Any]) -> str:
    """Everything about one decision: its rules, where it might have rung, and what decided."""
    lines = [f"  against it: {reason['message']}" for reason in record.get("reasons") or ()]
    for name in ("rules", "zones", "next_allowed", "policy", "tzdata", "lists", "cost", "pin"):
        value = record.get(name)
        if value:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            lines.append(f"  {name}: {shown}")
    return "".join(f"{line}\n" for line in lines)
