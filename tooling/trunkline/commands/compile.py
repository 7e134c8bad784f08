"""`trunkline compile`: a node table for each flow, and its digest."""

from pathlib import Path

import click

from trunkline.compile import Compiled, compile_repository
from trunkline.failure import FatalError
from trunkline.report import report
from trunkline.report.compiled import as_json, as_text
from trunkline.report.excerpt import Excerpts
from trunkline.source.tree import WorkingTree
from trunkline_runtime.table.canonical import canonical_bytes
from trunkline_runtime.table.durable import place


@click.command("compile")
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the tables there, as <tenant>/<flow>.json.",
)
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
@click.pass_obj
def command(root: Path, out: Path | None, form: str) -> int:
    """Compiles all flows: the same meaning gives the same digest on every machine.

    Nothing is written if there is an error anywhere.
    """
    compiled = compile_repository(root)
    errors = [finding for finding in compiled.findings if finding.severity == "error"]
    if errors:
        click.echo(report(form)(errors, Excerpts(WorkingTree(root))), nl=False)
        click.echo("trunkline: nothing was compiled: mend the errors first", err=True)
        return 1
    if not compiled.tables:
        raise FatalError(f"{root}: there is nothing to compile: flows/ holds no flow of a tenant")
    if out is not None:
        _write(compiled, out)
    click.echo(as_json(compiled) if form == "json" else as_text(compiled), nl=False)
    return 0


def _write(compiled: Compiled, out: Path) -> None:
    """Each file is the old one or the new one, whatever stops the machine in between."""
    for (tenant, flow), table in compiled.tables.items():
        file = out / tenant / f"{flow}.json"
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            place(file, canonical_bytes(table))
        except OSError as problem:
            reason = problem.strerror or problem
            raise FatalError(f"{file} can't be written: {reason}") from None
