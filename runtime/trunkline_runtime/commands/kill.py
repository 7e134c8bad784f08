"""`trunkline-runtime kill`: stops a tenant, a flow or a tool at once, and lifts that again."""

import getpass
import json
import secrets
from datetime import UTC, datetime

import click

from trunkline_runtime.commands.counting import counted
from trunkline_runtime.commands.names_here import doubts
from trunkline_runtime.commands.options import format_option
from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.ledger import Ledger, LedgerDown
from trunkline_runtime.gate.ledger.place import is_there, place_here
from trunkline_runtime.gate.ledger.switches import KillSwitch
from trunkline_runtime.policy.clock import instant_text
from trunkline_runtime.state import state_folder


@click.group("kill")
def command() -> None:
    """Kill switches: every gate that shares the ledger sees them at its next decision."""


@command.command("on")
@click.option("--tenant", help="Absent: every tenant.")
@click.option("--flow", help="Absent: every flow.")
@click.option("--tool", help="Absent: every tool, and dialling.")
@click.option("--everything", is_flag=True, help="Stops all that there is.")
@click.option("--reason", required=True, help="Why; it stands in every denial.")
@click.option("--by", help="Who; the user of the terminal if it is not given.")
def on(
    tenant: str | None,
    flow: str | None,
    tool: str | None,
    everything: bool,
    reason: str,
    by: str | None,
) -> int:
    """Stops what is named, from now on. Prints the id that lifts it, and what it stops."""
    named = bool(tenant or flow or tool)
    if everything == named:
        raise FatalError("name a --tenant, --flow or --tool, or say --everything, but not both")
    if not reason.strip():
        raise FatalError("say why in --reason: it stands in every denial")
    if flow and not tenant:
        raise FatalError("a flow is a tenant's: give --tenant as well")
    now = datetime.now(UTC).replace(microsecond=0)
    switch = KillSwitch(secrets.token_hex(4), tenant, flow, tool, reason, by or _user(), now)
    try:
        with _ledger().transaction() as transaction:
            transaction.turn_on(switch)
    except LedgerDown as problem:
        raise FatalError(str(problem)) from None
    _note({"change": "on", "switch": switch.id, "reason": reason, "by": switch.by}, switch)
    click.echo(switch.id)
    click.echo(
        f"stopped: {_scope(switch)}, in {place_here(state_folder())}; "
        f"`trunkline-runtime kill off {switch.id}` lifts it",
        err=True,
    )
    # Said and not refused: who throws a switch may know more than this machine does.
    for doubt in doubts(tenant, flow, tool):
        click.echo(f"warning: {doubt}", err=True)
    return 0


@command.command("off")
@click.argument("id")
@click.option("--by", help="Who; the user of the terminal if it is not given.")
def off(id: str, by: str | None) -> int:
    """Lifts a switch by its id."""
    who = by or _user()
    try:
        if not is_there(state_folder()):
            raise _no_switch(id)
        with _ledger().transaction() as transaction:
            switch = next((one for one in transaction.all_switches() if one.id == id), None)
            lifted = transaction.lift(id, who, datetime.now(UTC))
    except LedgerDown as problem:
        raise FatalError(str(problem)) from None
    if not lifted or switch is None:
        raise _no_switch(id)
    _note({"change": "off", "switch": id, "reason": switch.reason, "by": who}, switch)
    click.echo(f"{id} is off")
    return 0


@command.command("list")
@format_option
def list_command(form: str) -> int:
    """The switches that are on, and, on stderr, the ledger that says so."""
    switches: tuple[KillSwitch, ...] = ()
    try:
        if is_there(state_folder()):
            with _ledger().asking() as transaction:
                switches = transaction.all_switches()
    except LedgerDown as problem:
        raise FatalError(str(problem)) from None
    place = place_here(state_folder())
    if form == "json":
        shown = [_shown(switch) for switch in switches]
        document = {"version": 1, "ledger": place, "switches": shown}
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return 0
    count = counted(len(switches), "switch", "switches") if switches else "no switch"
    click.echo(f"{count} {'are' if len(switches) > 1 else 'is'} on in {place}", err=True)
    for switch in switches:
        when = instant_text(switch.at)
        click.echo(f"{switch.id}  {_scope(switch)}  {when}  {switch.by}: {switch.reason}")
    return 0


def _scope(switch: KillSwitch) -> str:
    named = {"tenant": switch.tenant, "flow": switch.flow, "tool": switch.tool}
    return " ".join(f"{name}={value}" for name, value in named.items() if value) or "everything"


def _no_switch(id: str) -> FatalError:
    return FatalError(
        f"no switch {id!r} is on in {place_here(state_folder())}; "
        "`trunkline-runtime kill list` shows them"
    )


def _ledger() -> Ledger:
    return Ledger.of_environment(state_folder())


def _shown(switch: KillSwitch) -> dict[str, str | None]:
    return {
        "id": switch.id,
        "tenant": switch.tenant,
        "flow": switch.flow,
        "tool": switch.tool,
        "reason": switch.reason,
        "by": switch.by,
        "at": instant_text(switch.at),
    }


def _note(change: dict[str, str], switch: KillSwitch) -> None:
    """The switch works already; a record that cannot be written is told and changes nothing."""
    record = {
        "kind": "kill_switch",
        "at": instant_text(datetime.now(UTC).replace(microsecond=0)),
        "tenant": switch.tenant,
        "flow": switch.flow,
        "tool": switch.tool,
        **change,
    }
    try:
        DecisionLog(state_folder() / "decisions").append(record)
    except Exception as problem:
        click.echo(f"the switch works, but it is not on record: {problem}", err=True)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
