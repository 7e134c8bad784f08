"""`trunkline test`: plays the scenarios of flows on the real runtime, with their coverage."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import click

from trunkline.commands.progress import progress_bar
from trunkline.failure import FatalError
from trunkline.report import scenarios, scenarios_json
from trunkline.report.scenarios_junit import as_junit
from trunkline.scenario.coverage import KINDS, below

Progress: TypeAlias = Callable[[int, int], None]

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


class _Dollars(click.ParamType[tuple[float, float]]):
    """Two amounts of dollars: `0.15/0.60`."""

    name = "dollars"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        if isinstance(value, tuple):
            return value
        read, _, written = str(value).partition("/")
        try:
            return float(read), float(written)
        except ValueError:
            self.fail(f"{value!r}: write dollars per million tokens, as 0.15/0.60", param, ctx)


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
@click.option("--live", is_flag=True, help="Real models play agent, caller and judge.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 100),
    default=1,
    help="With --live: how often, to tell flaky from broken.",
)
@click.option(
    "--price",
    metavar="IN/OUT",
    type=_Dollars(),
    help="With --live: dollars per million tokens read and written, such as 0.15/0.60.",
)
@click.option("--mutants", is_flag=True, help="Tell how many faults of a flow scenarios notice.")
@click.pass_obj
def command(
    root: Path,
    /,
    names: tuple[str, ...],
    form: str,
    junit: Path | None,
    floors: tuple[tuple[str, float], ...],
    processes: int | None,
    live: bool,
    repeat: int,
    price: tuple[float, float] | None,
    mutants: bool,
) -> int:
    """Plays flows/<tenant>/scenarios/<flow>.yaml: all, or those of tenants and flows.

    The flows are compiled from the working tree. Runtime, gate and sandbox are the real ones; the
    caller and the model's choices come from the file. No network, no account, no model.

    With --live, the model of TRUNKLINE_LLM_BASE_URL, TRUNKLINE_LLM_API_KEY and TRUNKLINE_LLM_MODEL
    plays the agent; it also plays the caller by `instructions`, and judges by `agent_expectations`.
    """
    if (live or mutants) and (form == "junit" or junit is not None or floors):
        raise click.UsageError("--junit and --min-coverage are about scripted runs")
    if not live and (repeat > 1 or price is not None):
        raise click.UsageError("--repeat and --price belong to --live")
    # Imported here: `--help` and wrong usage need not wait for LiveKit.
    try:
        import trunkline.scenario.run as runs
    except ModuleNotFoundError as missing:
        raise FatalError(
            f"scenarios need the runtime, and {missing.name} is not installed: "
            "pip install 'trunkline[tooling,runtime]'"
        ) from None
    if mutants:
        return _mutants(root, names, form)
    with progress_bar("scenarios") as progress:
        if live:
            return _live(root, names, form, repeat, processes, price, progress)
        tested = runs.run_scenarios(root, names, processes=processes, progress=progress)
    lacking = below(tested.coverage, dict(floors))
    if junit is not None:
        _write(junit, as_junit(tested.results))
    if form == "junit":
        click.echo(as_junit(tested.results), nl=False)
    else:
        render = scenarios_json.as_json if form == "json" else scenarios.as_text
        click.echo(render(tested.results, tested.coverage, lacking), nl=False)
    return int(tested.failed > 0 or bool(lacking))


def _live(
    root: Path,
    names: tuple[str, ...],
    form: str,
    repeat: int,
    processes: int | None,
    price: tuple[float, float] | None,
    progress: Progress,
) -> int:
    from trunkline.report.scenarios_live import live_json, live_text
    from trunkline.scenario.live_run import run_live
    from trunkline.scenario.usage import Price

    results = run_live(root, names, repeat=repeat, processes=processes or 1, progress=progress)
    render = live_json if form == "json" else live_text
    click.echo(render(results, Price(*price) if price is not None else None), nl=False)
    return int(any(result.steadiness != "steady" for result in results))


def _mutants(root: Path, names: tuple[str, ...], form: str) -> int:
    from trunkline.report.mutations import mutations_json, mutations_text
    from trunkline.scenario.mutation import mutate

    with progress_bar("mutants") as progress:
        found = list(mutate(root, names, progress=progress))
    click.echo((mutations_json if form == "json" else mutations_text)(found), nl=False)
    return 0


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise FatalError(f"{path}: {problem.strerror}") from None
