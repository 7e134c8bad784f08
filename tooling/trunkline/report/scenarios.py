"""Scenario tests for a person: failures as stories, then what no scenario reaches, then counts."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.text import Text

from trunkline.report.printable import printable, printable_path
from trunkline.report.terminal import drawn_lines
from trunkline.scenario.coverage import Coverage
from trunkline.scenario.result import Fault, Result, SeenExit, Sight
from trunkline.scenario.spot import Spot


def as_text(results: Sequence[Result], coverage: Sequence[Coverage], below: Sequence[str]) -> str:
    """Everything about a run; `below` are the floors of coverage that are not met."""
    return drawn_lines(_lines(results, coverage, below))


def _lines(
    results: Sequence[Result], coverage: Sequence[Coverage], below: Sequence[str]
) -> Iterator[Text]:
    for result in results:
        if not result.passed:
            yield from story(result)
            yield Text()
    for each in coverage:
        yield from _coverage(each)
    for sentence in below:
        yield Text(printable(sentence), style="bold red")
    failed = sum(not result.passed for result in results)
    seconds = sum(result.seconds for result in results)
    style = "bold red" if failed or below else "bold green"
    yield Text(f"{len(results) - failed} passed, {failed} failed in {seconds:.1f} s", style=style)


def story(result: Result) -> Iterator[Text]:
    """One failure: the transcript up to it, expected against actual, the exits of the node."""
    where = f"{printable_path(result.path)}:{result.line}"
    yield Text.assemble(("FAILED", "bold red"), f"  {where}  ", (printable(result.label), "bold"))
    if result.sight is not None:
        yield Text()
        for line in result.sight.story:
            yield Text(f"  {_line(line)}")
        if result.sight.turned:
            yield Text(f"  {'':>8}  ‼ here it {printable(result.sight.turned)}", style="bold red")
    yield Text()
    for fault in result.faults:
        yield from _fault(fault)
    if result.sight is not None and result.sight.exits:
        yield Text()
        yield from _exits(result.sight)


def _line(text: str) -> str:
    start = text[: len(text) - len(text.lstrip())]
    return start + printable(text.lstrip())


def _fault(fault: Fault) -> Iterator[Text]:
    yield Text(f"  {fault.what}")
    yield Text.assemble(("    expected  ", "green"), printable(fault.expected))
    yield Text.assemble(("    actual    ", "red"), printable(fault.actual))


def _exits(sight: Sight) -> Iterator[Text]:
    yield Text(f"  the exits of {printable(sight.node)} at that moment")
    for each in sight.exits:
        mark = ("  ○ open  ", "green") if each.open else ("  ✗ shut  ", "red")
        yield Text.assemble("  ", mark, f"→ {printable(each.to)}", (f"  {_why(each)}", "dim"))


def _why(each: SeenExit) -> str:
    when = f" when {each.when}" if each.when else ""
    where = f"  ({printable_path(each.path)}:{each.line})" if each.line else ""
    return printable(f"{each.why}{';' if when else ''}{when}") + where


def _coverage(coverage: Coverage) -> Iterator[Text]:
    counts = ", ".join(
        f"{reached}/{there} {kind}s ({100 * reached / there:.0f}%)"
        for kind, reached, there in coverage.counts()
    )
    yield Text.assemble((printable(coverage.name), "bold"), f"  {counts}")
    if not coverage.flow:
        return  # `policy test` is where rules are tested; JSON names them all
    for path, spots in groupby(coverage.missed, key=lambda spot: spot.path):
        yield Text(f"  not reached in {printable_path(path)}")
        for spot in spots:
            yield Text(f"    {spot.line:>5}  {spot.kind:<7}  {printable(spot.words)}")


def spot_words(spot: Spot) -> str:
    """A spot on one line."""
    return f"{spot.path}:{spot.line} {spot.kind} {spot.words}"
