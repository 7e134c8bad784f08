"""`trunkline check`: every finding of the repository at once, with what to write instead."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from trunkline.compile import compile_repository
from trunkline.finding import Finding
from trunkline.report import FORMATS, report
from trunkline.report.excerpt import Excerpts
from trunkline.source.chosen import chosen_paths, stands_in
from trunkline.source.fixes import apply_fixes
from trunkline.source.tree import WorkingTree


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "format", type=click.Choice(FORMATS), default="text", help="How findings are told."
)
@click.option("--strict", is_flag=True, help="Warnings count like errors.")
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, then check.")
@click.pass_obj
def command(root: Path, paths: tuple[Path, ...], format: str, strict: bool, fix: bool) -> int:
    """Checks flows, catalogue and policy. With PATHs, only what stands in them is told."""
    tree = WorkingTree(root)
    chosen = chosen_paths(root, paths)
    findings = _findings(root, chosen)
    if fix:
        mended = apply_fixes(root, findings)
        for path, count in mended.items():
            click.echo(f"mended {count} in {path}", err=True)
        if mended:
            findings = _findings(root, chosen)
    click.echo(report(format)(findings, Excerpts(tree)), nl=False)
    sys.stdout.flush()
    return _exit_code(findings, strict)


def _findings(root: Path, chosen: Sequence[str]) -> list[Finding]:
    found = compile_repository(root).findings
    return [finding for finding in found if not chosen or stands_in(finding.path, chosen)]


def _exit_code(findings: Sequence[Finding], strict: bool) -> int:
    return int(any(strict or finding.severity == "error" for finding in findings))
