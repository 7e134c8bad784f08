"""`call TENANT/FLOW`: a text call in the terminal, on a pinned release, past the real gate."""

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import click
import phonenumbers

from trunkline_runtime.commands.options import format_option, from_option, into_option
from trunkline_runtime.failure import FatalError
from trunkline_runtime.script.scenario import Scenario, read_scenarios, scenario_called
from trunkline_runtime.state import state_folder
from trunkline_runtime.table.canonical import Json


@dataclass(frozen=True)
class Asked:
    """What was asked for on the command line; a scenario says the rest."""

    tenant: str
    flow: str
    store: str | None
    cache: Path
    tag: str | None
    channel: str | None
    number: str | None
    inputs: dict[str, str]
    answered_by: str | None
    scenario: Scenario | None
    sandbox: bool
    form: str


@click.command("call")
@click.argument("name", metavar="TENANT/FLOW")
@from_option(required=False, says="Take the release from this store, not from what was pulled")
@into_option
@click.option("--tag", help="A release other than the one that `stable` takes.")
@click.option("--channel", help="The channel whose release it takes; `stable` if none is named.")
@click.option("--number", help="The other party's number, with + and country code.")
@click.option("--input", "inputs", metavar="NAME=VALUE", multiple=True, help="Repeatable.")
@click.option(
    "--answered-by",
    type=click.Choice(["human", "machine", "unknown", "busy", "no_answer"]),
    help="Who or what picked up, for an outbound flow.",
)
@click.option(
    "--script",
    type=click.Path(path_type=Path),
    help="A scenario file: it plays the caller and the model's choices.",
)
@click.option("--scenario", "label", help="The label of the scenario. Without it, the first.")
@click.option(
    "--keep-books",
    is_flag=True,
    help="Let a scripted call count in the books of this machine, as a real one does.",
)
@click.option("--sandbox", is_flag=True, help="Run the sandbox of back ends for this call.")
@format_option
def command(
    name: str,
    store: str | None,
    cache: Path,
    tag: str | None,
    channel: str | None,
    number: str | None,
    inputs: tuple[str, ...],
    answered_by: str | None,
    script: Path | None,
    label: str | None,
    keep_books: bool,
    sandbox: bool,
    form: str,
) -> None:
    """Hold a text call in the terminal.

    The model is the OpenAI-compatible server of TRUNKLINE_LLM_BASE_URL, with TRUNKLINE_LLM_API_KEY
    and TRUNKLINE_LLM_MODEL; with --script nothing but this machine is needed. Type what the caller
    says; `/key 9` presses a key, `/silence 8` waits eight seconds, `/hangup` or the end of the
    input hangs up. With --format json, the record is printed and the words are not; a call that
    can't begin prints {"version": 1, "error": ...}.
    """
    tenant, slash, flow = name.partition("/")
    if not slash or not tenant or not flow:
        raise click.UsageError(f"{name!r} is no TENANT/FLOW, such as acme/overdue-invoice")
    if tag is not None and channel is not None:
        raise click.UsageError("--tag and --channel both say which release it takes: give one")
    if label is not None and script is None:
        raise click.UsageError("--scenario names one of a --script")
    if keep_books and script is None:
        raise click.UsageError("--keep-books is for a --script: other calls keep them anyway")
    scenario = scenario_called(read_scenarios(script), label, script) if script else None
    asked = Asked(
        tenant,
        flow,
        store,
        cache,
        tag,
        channel,
        _number(number) if number is not None else None,
        _inputs(inputs),
        answered_by,
        scenario,
        sandbox,
        form,
    )
    # Imported here: `--help` and wrong usage need not wait for LiveKit.
    from trunkline_runtime.commands.text_call import hold

    try:
        with _environment(sandbox), _state(passing=script is not None and not keep_books) as state:
            held = asyncio.run(hold(asked, state))
    except FatalError as problem:
        if form == "json":
            _print({"version": 1, "error": str(problem)})
        raise
    if form == "json":
        _print(held.record)
    if held.problem is not None:
        raise held.problem


def _print(document: Mapping[str, Json]) -> None:
    click.echo(json.dumps(document, indent=2, ensure_ascii=False))


def _number(text: str) -> str:
    """A telephone number in E.164. Raises UsageError."""
    try:
        number = phonenumbers.parse(text, None)
    except phonenumbers.NumberParseException:
        number = None
    if number is None or not phonenumbers.is_possible_number(number):
        raise click.UsageError(
            f"--number {text!r} is no telephone number: write it with + and the country code, such "
            "as +12025550143"
        )
    e164: str = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return e164


def _inputs(given: tuple[str, ...]) -> dict[str, str]:
    """The inputs by name. Raises UsageError for one that is none, or is given twice."""
    found: dict[str, str] = {}
    for name, value in map(_pair, given):
        if name in found:
            raise click.UsageError(f"--input {name} is given twice")
        found[name] = value
    return found


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise click.UsageError(f"--input {text!r} is no NAME=VALUE")
    return name, value


@contextlib.contextmanager
def _environment(sandbox: bool) -> Iterator[None]:
    """With the sandbox, the addresses and credentials of its back ends for as long as it runs."""
    if not sandbox:
        yield
        return
    from trunkline_runtime.sandbox.running import running_sandbox

    before = dict(os.environ)
    try:
        with running_sandbox() as running:
            os.environ.update(running.environment)
            yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def _state(*, passing: bool) -> Iterator[Path]:
    """Where the gate keeps its books. A scripted call has a clock of its own and opts numbers out
    that others are tried with, so it keeps them in a folder that goes away: else the second run
    of a script finds what the first one counted. Kill switches hold there as well."""
    if not passing:
        folder = state_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FatalError(f"{folder} cannot be made: {error.strerror}") from None
        yield folder
        return
    from trunkline_runtime.commands.books import passing_books

    with passing_books() as folder:
        yield folder
