"""Part of `trunkline policy`: Do-Not-Call lists of any size, out of the registry's own files."""

from pathlib import Path

import click

from trunkline.failure import FatalError
from trunkline.policy.list_build import Building, read_base, read_file, write_generation
from trunkline.policy.registry_files import RegistryFile, check_digests
from trunkline.report import policy as told

FORMAT = click.option(
    "--format",
    "format",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How it is told.",
)

_WHAT_LISTS_LOOK_LIKE = (
    "nothing here is an entry: a full list has AAA,NNNNNNN on each line, and a change list, which "
    "goes behind --changes, further fields with A or D among them"
)


@click.group("dnc")
def dnc() -> None:
    """Do-Not-Call lists of any size."""


@dnc.command("build")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path),
    help="The generation to write, such as lists/us-national-registry.dnc.",
)
@click.option(
    "--base", type=click.Path(path_type=Path), help="An earlier generation to go on from."
)
@click.option(
    "--changes",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A change list; several are applied in the order given.",
)
@click.option("--sha256", "digests", multiple=True, help="What the files must be, in their order.")
@click.option("--complete", is_flag=True, help="The files are the whole list, for every area code.")
@click.option(
    "--bad-lines",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="How many lines may be no entry; they are left out.",
)
@FORMAT
def dnc_build(
    files: tuple[Path, ...],
    out: Path,
    base: Path | None,
    changes: tuple[Path, ...],
    digests: tuple[str, ...],
    complete: bool,
    bad_lines: int,
    format: str,
) -> int:
    """Compiles the registry's files (full and change lists, flat or XML, zipped or not) into one
    generation.
    """
    if not files and not changes:
        raise FatalError("name at least one file of the registry")
    if not files and base is None:
        raise FatalError("a change list changes something: give --base or a full list")
    read = [RegistryFile(path) for path in files]
    read += [RegistryFile(path, changes=True) for path in changes]
    check_digests([file.path for file in read], digests)
    building = read_base(base) if base is not None else Building()
    for file in read:
        read_file(building, file)
    if len(building.bad) > bad_lines:
        click.echo(told.bad_lines_text(building.bad), nl=False, err=True)
        if not building.added and not building.deleted:
            click.echo(_WHAT_LISTS_LOOK_LIKE, err=True)
        left_out = f"--bad-lines {len(building.bad)} builds without what is bad"
        click.echo(f"nothing was written; {left_out}", err=True)
        return 1
    built = write_generation(building, out, complete)
    render = told.built_json if format == "json" else told.built_text
    click.echo(render(built, building), nl=False)
    return 0
