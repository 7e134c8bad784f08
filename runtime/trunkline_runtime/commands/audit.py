"""`trunkline-runtime audit`: verifies, searches and exports the record of decisions."""

import json
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click

from trunkline_runtime.commands.audit_lines import details_of_record, line_of_record
from trunkline_runtime.commands.counting import counted
from trunkline_runtime.commands.options import format_option
from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.gate.chain import Fault, Verified, segment_paths, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE
from trunkline_runtime.gate.number_key import KEY_VARIABLE, NumberKey
from trunkline_runtime.gate.search import Wanted, found, names_on_record, with_settlements
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
        lines = counted(result.lines, "line")
        verify = "verifies" if result.lines == 1 else "verify"
        click.echo(f"{lines} {verify}; the last one is {result.last.hash}")
    if result.faults and form != "json":
        raise Refused("\n".join(_told(fault) for fault in result.faults))
    return 1 if result.faults else 0


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
    _doubt(folder)
    if form == "json":
        click.echo(json.dumps({"version": 1, "records": chosen}, indent=2, ensure_ascii=False))
        return 0
    for record in chosen:
        click.echo(line_of_record(record))
        if wanted["decision"] is not None:
            click.echo(details_of_record(record), nl=False)
    click.echo(f"{len(chosen)} found", err=True)
    if not chosen:
        for text in _unknown(folder, wanted):
            click.echo(text, err=True)
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
    if call is not None and not chosen:
        raise FatalError(f"{folder}: nothing is on record about a call {call!r}")
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
    click.echo(f"{counted(len(whole), 'record')} in {out}", err=True)
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
    click.echo(f"{counted(shipped.bytes, 'byte')} of {counted(shipped.files, 'file')} copied")
    return 0


def _unknown(folder: Path, wanted: Mapping[str, str | None]) -> Iterator[str]:
    """Names that no record holds: one that was mistyped looks like one about which nothing is."""
    asked = {
        "tool": wanted["tool"],
        "tenant": wanted["tenant"],
        "call": wanted["call"],
        "decision": wanted["decision"],
    }
    known = names_on_record(folder, [key for key, name in asked.items() if name])
    for key, name in asked.items():
        if name and name not in known[key]:
            near = get_close_matches(name, sorted(known[key]), n=1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            yield f"nothing on record names a {key} {name!r}{meant}"


def _require(folder: Path) -> None:
    if not segment_paths(folder):
        raise FatalError(f"{folder}: there is no record of decisions")


def _verified(folder: Path) -> Verified:
    head = folder / HEAD_FILE
    try:
        return verify(folder, head.read_text(encoding="ascii") if head.exists() else None)
    except (OSError, UnicodeDecodeError) as problem:
        raise FatalError(f"{folder}: the record cannot be read ({problem})") from None


def _doubt(folder: Path) -> None:
    """One line on stderr if the chain breaks: what is listed may not be what was written."""
    faults = _verified(folder).faults
    if faults:
        more = f" (and {counted(len(faults) - 1, 'more break')})" if len(faults) > 1 else ""
        click.echo(f"the chain of this record breaks: {_told(faults[0])}{more}", err=True)


def _told(fault: Fault) -> str:
    known = (
        f"; a worker found it, and the chain goes on in {fault.noted}"
        if fault.noted is not None
        else "; nothing after it is trusted"
    )
    before = f"{counted(fault.before, 'line')} before it can be trusted{known}"
    return f"{fault.file} line {fault.line}: {fault.message}; {before}"


def _verified_json(result: Verified) -> dict[str, Any]:
    faults = [
        {
            "file": fault.file,
            "line": fault.line,
            "message": fault.message,
            "noted": fault.noted,
        }
        for fault in result.faults
    ]
    return {
        "verifies": not faults,
        "lines": result.lines,
        "last": result.last.hash,
        "fault": faults[0] if faults else None,
        "faults": faults,
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
    if not NumberKey.is_there(state_folder()):
        raise FatalError(
            f"{state_folder()} holds no key of numbers: set {KEY_VARIABLE}, or "
            "TRUNKLINE_STATE_DIR, to that of the machine that wrote the record"
        )
    return NumberKey.of_environment(state_folder()).token(number)
