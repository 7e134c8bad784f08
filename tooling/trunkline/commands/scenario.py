"""`trunkline scenario`: makes scenarios of what happened: of the record of a real call."""

from pathlib import Path

import click
import yaml


@click.group("scenario")
def command() -> None:
    """Makes scenarios; `trunkline test` plays them."""


@command.command("from-record")
@click.argument("record", type=click.Path(path_type=Path))
@click.option("--call", "call_id", metavar="ID", help="The call, where RECORD holds several.")
@click.pass_obj
def from_record(root: Path, record: Path, call_id: str | None) -> int:
    """Turns the record of a call into a scenario, with personal data replaced.

    RECORD is what `trunkline-runtime call --format json` prints, or a file of the record of calls
    (calls/calls-*.jsonl). The scenario goes to stdout, to be put into
    flows/<tenant>/scenarios/<flow>.yaml; what was said is yours to fill in.
    """
    from trunkline.scenario.from_record import record_in, scenario_of

    document, result = scenario_of(root, record_in(record, call_id))
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
