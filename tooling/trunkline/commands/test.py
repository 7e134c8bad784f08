"""`trunkline test`: plays the scenarios of flows on the real runtime, with their coverage."""

from pathlib import Path

import click

from trunkline.failure import FatalError
from trunkline.report import scenarios, scenarios_json
from trunkline.report.scenarios_junit import as_junit
from trunkline.scenario.coverage import KINDS, below

_FORMATS = ("text", "json", "junit")


class _Floor(click.ParamType[tuple[str, float]]):
    """A percentage of the edges, or of another kind: `100`, `guard=80`."""

    name = "floor"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, float]:
        if isinstance(value, tuple):
            return value
        kind, equals, number = str(value).rpartition("=")
        kind = kind.removesuffix("s") if equals else "edge"
        try:
            percent = float(number)
        except ValueError:
            percent = -1.0
        if kind not in KINDS or not 0 <= percent <= 100:
            known = ", ".join(KINDS)
            self.fail(f"{value!r}: write a percentage, or KIND=PERCENT of {known}", param, ctx)
        return kind, percent


@click.command("test")
@click.argument("names", nargs=-1, metavar="[TENANT[/FLOW]]...")
@click.option(
    "--format", "form", type=click.Choice(_FORMATS), default="text", help="How results are told."
)
@click.option(
    "--junit",
    "junit",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write JUnit XML to a file, too.",
)
@click.option(
    "--min-coverage",
    "floors",
    metavar="[KIND=]PERCENT",
    type=_Floor(),
    multiple=True,
    help="Fail below this share of a flow's edges, or of another kind (repeatable).",
)
@click.option(
    "--processes", type=click.IntRange(1, 64), help="How many at once; as many as there are cores."
)
@click.pass_obj
def command(
    root: Path,
    names: tuple[str, ...],
    form: str,
    junit: Path | None,
    floors: tuple[tuple[str, float], ...],
    processes: int | None,
) -> int:
    """Plays flows/<tenant>/scenarios/<flow>.yaml: all, or those of tenants and flows.

    The flows are compiled from the working tree. Runtime, gate and sandbox are the real ones; the
    caller and the model's choices come from the file. No network, no account, no model.
    """
    # Imported here: `--help` and wrong usage need not wait for LiveKit.
    try:
        from trunkline.scenario.run import run_scenarios
    except ModuleNotFoundError as missing:
        raise FatalError(
            f"scenarios need the runtime, and {missing.name} is not installed: "
            "pip install 'trunkline[tooling,runtime]'"
        ) from None

    tested = run_scenarios(root, names, processes=processes)
    lacking = below(tested.coverage, dict(floors))
    told = (tested.results, tested.coverage, lacking)
    if junit is not None:
        _write(junit, as_junit(tested.results))
    if form == "junit":
        click.echo(as_junit(tested.results), nl=False)
    else:
        render = scenarios_json.as_json if form == "json" else scenarios.as_text
        click.echo(render(*told), nl=False)
    return int(tested.failed > 0 or bool(lacking))


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise FatalError(f"{path}: {problem.strerror}") from None
