"""`trunkline check`: every finding of the repository at once, with what to write instead."""

import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import click

from trunkline.checking.check import check_repository
from trunkline.finding import Finding
from trunkline.report import FORMATS, report
from trunkline.report.excerpt import Excerpts
from trunkline.source.chosen import chosen_paths, stands_in
from trunkline.source.tree import WorkingTree
from trunkline.today import today

# A file is looked at more closely once its quotes and keys are mended; each round mends what shows.
_ROUNDS = 5


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "format", type=click.Choice(FORMATS), default="text", help="How findings are told."
)
@click.option("--strict", is_flag=True, help="Warnings count like errors.")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, then check.")
@click.option("--clean", is_flag=True, help="Look at everything anew, as publish does.")
@click.option(
    "--today",
    "day",
    metavar="DATE",
    help="Hold exceptions and rules against another day.  [default: $TRUNKLINE_TODAY, or today]",
)
@click.pass_obj
def command(
    root: Path,
    paths: tuple[Path, ...],
    format: str,
    strict: bool,
    fix: bool,
    clean: bool,
    day: str | None,
) -> int:
    """Checks flows, catalogue and policy. With PATHs, only what stands in them is told."""
    tree = WorkingTree(root)
    chosen = chosen_paths(root, paths)
    when = today(day)
    findings = _findings(root, chosen, when, clean)
    for _ in range(_ROUNDS if fix else 0):
        from trunkline.source.fixes import apply_fixes

        mended = apply_fixes(root, findings)
        for path, count in mended.items():
            click.echo(f"mended {count} in {path}", err=True)
        if not mended:
            break
        findings = _findings(root, chosen, when, clean)
    click.echo(report(format)(findings, Excerpts(tree)), nl=False)
    sys.stdout.flush()
    return _exit_code(findings, strict)


def _findings(root: Path, chosen: Sequence[str], when: date, clean: bool) -> list[Finding]:
    found = check_repository(root, when, clean)
    return [finding for finding in found if not chosen or stands_in(finding.path, chosen)]


def _exit_code(findings: Sequence[Finding], strict: bool) -> int:
    return int(any(strict or finding.severity == "error" for finding in findings))
