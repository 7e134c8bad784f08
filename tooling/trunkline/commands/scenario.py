"""`trunkline scenario`: makes scenarios of what happened: of the record of a real call."""

import json
from pathlib import Path

import click
import yaml

from trunkline.failure import FatalError


@click.group("scenario")
def command() -> None:
    """Makes scenarios; `trunkline test` plays them."""


@command.command("from-record")
@click.argument("record", type=click.Path(path_type=Path))
@click.pass_obj
def from_record(root: Path, record: Path) -> int:
    """Turns the record of a call into a scenario, with personal data replaced.

    RECORD is what `trunkline-runtime call --format json` prints. The scenario goes to stdout, to
    be put into flows/<tenant>/scenarios/<flow>.yaml; what was said is yours to fill in.
    """
    from trunkline.scenario.from_record import scenario_of

    try:
        found = json.loads(record.read_text(encoding="utf-8"))
    except OSError as problem:
        raise FatalError(f"{record}: {problem.strerror}") from None
    except ValueError:
        raise FatalError(f"{record} is not JSON") from None
    if not isinstance(found, dict):
        raise FatalError(f"{record} is no record of a call")
    document, result = scenario_of(root, found)
    text = yaml.safe_dump([document], sort_keys=False, allow_unicode=True, width=96)
    click.echo("scenarios:")
    click.echo("".join(f"  {line}\n" for line in text.splitlines()), nl=False)
    for fault in result.faults:
        click.echo(
            f"trunkline: it does not play like the call yet: {fault.what}: "
            f"expected {fault.expected}, got {fault.actual}",
            err=True,
        )
    return int(not result.passed)
