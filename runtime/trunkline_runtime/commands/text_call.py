"""Holds one text call: opens what it runs on, lets the caller or a script talk, ends it cleanly."""

import asyncio
import contextlib
import os
import re
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.clock import Clock, SetClock, WallClock
from trunkline_runtime.call.inputs import give_inputs
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.model_here import URL_VARIABLE, hint_for, model_here
from trunkline_runtime.call.record import record_of
from trunkline_runtime.commands.transcript import Transcript, summary
from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import LedgerDown
from trunkline_runtime.gate.pending import PendingGate
from trunkline_runtime.release.choose import Chosen, from_cache, from_store
from trunkline_runtime.release.loaded import Pin
from trunkline_runtime.sandbox.transfers import DeskTransfers
from trunkline_runtime.script.answers import GivenAnswers, SomeAbsent
from trunkline_runtime.script.model import ScriptedModel
from trunkline_runtime.script.play import play, prepare
from trunkline_runtime.script.quiet import quiet
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.connection import variable_missing
from trunkline_runtime.tools.kinds import dispatcher_of

if TYPE_CHECKING:
    from trunkline_runtime.commands.call import Asked

_MODEL_FAILED = "the model failed: "


@dataclass(frozen=True)
class Held:
    """A call that is over: its record, and what the operator must still be told."""

    record: Mapping[str, Json]
    problem: FatalError | None


async def hold(asked: "Asked", state: Path) -> Held:
    """Holds the call. Raises FatalError and Refused, in one sentence, if it cannot begin."""
    chosen = (
        from_store(asked.store, asked.tenant, asked.tag, asked.channel)
        if asked.store is not None
        else from_cache(asked.cache, asked.tenant, asked.tag, asked.channel)
    )
    clock = _clock(asked)
    call = _begin(asked, chosen, clock)
    real = model_here(chosen.release.settings) if asked.scenario is None else None
    if real is not None:
        await real.check()
    model = real.for_session() if real is not None else ScriptedModel()
    problem: FatalError | None = None
    gate = PendingGate(_gate(chosen, state), state)
    await gate.deliver()
    keeping = Keeping(call, call_log(state))
    transcript = Transcript(call, sys.stdout)
    shows = asked.form == "text"
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(quiet())
        script = asked.scenario
        told = asyncio.Event()
        dispatcher = await stack.enter_async_context(
            dispatcher_of(call, gate)
            if script is None
            else dispatcher_of(
                call, gate, around=lambda runner: GivenAnswers(script.answers, runner, told)
            )
        )
        live = LiveCall(
            call,
            gate=gate,
            dispatcher=dispatcher,
            transfers=SomeAbsent(script.absent if script else (), DeskTransfers()),
            model=model,
            changed=_told(keeping.changed, transcript.changed if shows else None),
        )
        caller = Caller(live)
        try:
            if isinstance(model, ScriptedModel) and asked.scenario is not None:
                assert isinstance(clock, SetClock)
                prepare(call, asked.scenario)
                try:
                    await play(live, caller, model, asked.scenario, clock, told)
                except Refused as misfit:
                    problem = misfit
            else:
                await _converse(live, caller, prompts=shows)
        finally:
            await caller.hangs_up()
            if shows:
                transcript.changed()
                transcript.say(f"\n{summary(call)}")
    problem = problem or _model_failure(call)
    if problem is None:
        _name_missing(call)
    return Held(_completed(keeping, call), problem)


def _told(*watching: Callable[[], None] | None) -> Callable[[], None]:
    def changed() -> None:
        for one in watching:
            if one is not None:
                one()

    return changed


def _completed(keeping: Keeping, call: Call) -> Mapping[str, Json]:
    """The record, also where the disk does not take it: the operator has it on the terminal."""
    try:
        return keeping.complete()
    except OSError as problem:
        click.echo(f"trunkline-runtime: the record is not on disk: {problem}", err=True)
        return record_of(call)


def _name_missing(call: Call) -> None:
    """Says which variables were missing to the tools that failed. The model never hears of them."""
    missing = {
        (entry.connection, variable): tool.tool
        for tool in call.state.tools
        if tool.outcome == "error"
        and (entry := call.entries.get(tool.tool)) is not None
        and (variable := variable_missing(call.settings, entry.connection, os.environ)) is not None
    }
    for (connection, variable), tool in sorted(missing.items()):
        click.echo(
            f"trunkline-runtime: {tool} failed: set {variable} to the address of the {connection} "
            "system, or use --sandbox",
            err=True,
        )


def _clock(asked: "Asked") -> Clock:
    if asked.scenario is None:
        return WallClock()
    return SetClock(asked.scenario.at or WallClock().now())


def _begin(asked: "Asked", chosen: Chosen, clock: Clock) -> Call:
    """The call before its first node. Raises FatalError for inputs that the flow cannot take."""
    scenario = asked.scenario
    pin = Pin(chosen.release, asked.flow)
    call = Call.begin(
        pin,
        clock,
        chosen.policy(),
        call_id=secrets.token_hex(8),
        party=asked.number or (scenario.number if scenario else None),
        answered_by=asked.answered_by or (scenario.answered_by if scenario else None),
    )
    try:
        inputs = {**(scenario.inputs if scenario else {}), **asked.inputs}
        give_inputs(call, inputs, scenario.slots if scenario else ())
    except FatalError as problem:
        raise FatalError(f"{problem} (give each with --input NAME=VALUE)") from None
    call.state.channel = asked.channel
    return call


def _gate(chosen: Chosen, state: Path) -> PolicyGate:
    def settings(tenant: str) -> TenantSettings:
        if tenant != chosen.release.tenant:
            raise LookupError(tenant)
        return chosen.release.settings

    try:
        return PolicyGate.open(chosen.policy, settings, state)
    except LedgerDown as error:
        raise FatalError(f"the gate cannot keep its books in {state}: {error}") from None


async def _converse(live: LiveCall, caller: Caller, *, prompts: bool) -> None:
    """Reads the caller's lines until the call, the input or the patience is at its end."""
    lines: asyncio.Queue[str | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def read() -> None:
        # A daemon thread: nothing can make a blocking read of a terminal give up.
        for line in sys.stdin:
            loop.call_soon_threadsafe(lines.put_nowait, line.strip())
        loop.call_soon_threadsafe(lines.put_nowait, None)

    with contextlib.suppress(NotImplementedError, RuntimeError):
        loop.add_signal_handler(signal.SIGINT, lines.put_nowait, None)
    await live.start()
    threading.Thread(target=read, daemon=True).start()
    ended = asyncio.ensure_future(live.ended.wait())
    while not live.ended.is_set():
        if prompts and sys.stdin.isatty():
            click.echo("> ", nl=False)
        heard = asyncio.ensure_future(lines.get())
        await asyncio.wait({heard, ended}, return_when=asyncio.FIRST_COMPLETED)
        if not heard.done():
            heard.cancel()
            break
        line = heard.result()
        if line is None or line == "/hangup":
            break
        if line:
            await _do(caller, line)
    ended.cancel()


async def _do(caller: Caller, line: str) -> None:
    """One line of the caller's: words, or something that has no words."""
    what, _, value = line.partition(" ")
    if what == "/key" and len(value) == 1 and value in "0123456789*#":
        await caller.presses(value)
    elif what == "/silence" and value.replace(".", "", 1).isdigit():
        await caller.is_silent_for(float(value))
    elif line.startswith("/"):
        click.echo("unknown: type words, /key 9, /silence 8 or /hangup", err=True)
    else:
        await caller.says(line)


def _model_failure(call: Call) -> FatalError | None:
    """What to do about a model that could not be asked: the flow's own way out hides that."""
    for why in call.state.failures:
        if why.startswith(_MODEL_FAILED):
            text = why.removeprefix(_MODEL_FAILED)[:300]
            status = re.search(r"status_code=(\d{3})|Error code: (\d{3})", text)
            hint = hint_for(int(status[1] or status[2])) if status else None
            if hint is not None:
                return FatalError(f"the model server {hint}")
            return FatalError(
                f"{text}. Does {URL_VARIABLE} name an OpenAI-compatible server that is running?"
            )
    return None
