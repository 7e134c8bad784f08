"""`make eval`: drafts the twelve briefs and scores what comes of them.

With TRUNKLINE_LLM_BASE_URL the model there is scored, in full. Without, the constrained server on
loopback gives twelve small drafts and, up to 100 runs, answers that name tools: its model is too
small to judge, so what counts is that every answer fits and that nothing is invented. Exits with 1
if anything was invented, or if the server on loopback gave an answer that does not fit.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from constrained_server import constrained_server
from naming import tools_named
from rich.console import Console
from rich.table import Table
from scoring import Brief, Score, briefs, score

from trunkline.draft.asking import Asking
from trunkline.draft.brief import brief_of
from trunkline.draft.compiling import Workbench
from trunkline.draft.drafting import MOST_ROUNDS, draft
from trunkline.draft.prompt import versions
from trunkline.draft.schema_parts import Limits
from trunkline.draft.server import Address, OpenAiServer, address_here
from trunkline.draft.vocabulary import vocabulary
from trunkline.failure import FatalError

ROOT = Path(__file__).with_name("repository")
TENANT = "meridian"
SMALL = Limits(steps=2, data=0, edges=1, tools=1, gaps=0, text=8, expression=8)
RUNS_ON_LOOPBACK = 100
NAMING = "(naming tools)"


def main() -> int:
    """Runs the evaluation and prints it; the exit code."""
    arguments = _arguments()
    out = Path(arguments.out)
    local = not os.environ.get("TRUNKLINE_LLM_BASE_URL")
    runs = arguments.runs or (RUNS_ON_LOOPBACK if local else len(briefs()))
    bench = Workbench(ROOT, f"flows/{TENANT}/evaluated.yaml")
    scores: list[Score] = []
    with _address(local, arguments.model) as address:
        for number in range(1, runs + 1):
            if local and number > len(briefs()):
                scores.append(_named(number, bench, address))
            else:
                brief = briefs()[(number - 1) % len(briefs())]
                scores.append(_scored(brief, bench, address, local))
            print(f"{number}/{runs} {scores[-1].brief}: {_in_short(scores[-1])}", flush=True)
    console = Console(highlight=False, soft_wrap=True)
    console.width = max(console.width, 110)
    console.print(_table(scores))
    invented = sum(len(each.invented) for each in scores)
    unfit = sum(each.unusable + bool(each.failure) for each in scores)
    console.print(f"{address.model} at {address.place}; prompts {versions()}")
    console.print(f"{len(scores)} runs, {invented} invented ids, {unfit} answers of no use")
    out.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "version": 1,
        "model": address.model,
        "prompts": versions(),
        "scores": [each.as_json() for each in scores],
    }
    out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(bool(invented or (local and unfit)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--runs", type=int, help="How many drafts; else 12, or 100 on loopback.")
    parser.add_argument("--model", help="Else TRUNKLINE_LLM_MODEL, else gpt-oss-120b.")
    parser.add_argument("--out", default="build/evaluation.json", help="Where the scores go.")
    return parser.parse_args()


@contextmanager
def _address(local: bool, model: str | None) -> Iterator[Address]:
    if not local:
        yield address_here(model)
        return
    with constrained_server(context=12_288) as url:
        yield Address(url, "none", "SmolLM2-135M")


def _scored(brief: Brief, bench: Workbench, address: Address, local: bool) -> Score:
    words = brief_of(brief.words)
    known = vocabulary(bench.repository, TENANT, words)
    asking = Asking(OpenAiServer(address), 1_000 if local else 16_000)
    rounds, limits = (0, SMALL) if local else (MOST_ROUNDS, Limits())
    try:
        drafted = draft("evaluated", words, known, bench, asking, rounds, limits)
    except FatalError as failure:
        return Score(brief.name, failure=str(failure), unusable=len(asking.spent.unusable))
    return score(brief, drafted, known)


def _named(number: int, bench: Workbench, address: Address) -> Score:
    words = vocabulary(bench.repository, TENANT, "", most_tools=100)
    asking = Asking(OpenAiServer(address), 1_000)
    try:
        named = tools_named(asking, words, number)
    except FatalError as failure:
        return Score(NAMING, failure=str(failure), unusable=len(asking.spent.unusable))
    known, spent = {tool.id for tool in words.tools}, asking.spent
    return Score(
        NAMING,
        invented=tuple(f"tool {each}" for each in named if each not in known),
        requests=spent.requests,
        unusable=len(spent.unusable),
        tokens=spent.prompt_tokens + spent.completion_tokens,
        seconds=spent.seconds,
    )


def _in_short(each: Score) -> str:
    return each.failure or f"{each.requests} requests, {each.tokens} tokens, {each.seconds:.1f} s"


def _table(scores: list[Score]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for name in ("brief", "runs", "at once", "repaired", "policy", "complete", "invented"):
        table.add_column(name)
    table.add_column("tokens", justify="right")
    table.add_column("seconds", justify="right")
    for brief in dict.fromkeys(each.brief for each in scores):
        own = [each for each in scores if each.brief == brief]
        drafted = [each for each in own if not each.failure]
        table.add_row(
            brief,
            str(len(own)),
            *(
                str(sum(map(bool, found)))
                for found in (
                    [each.first for each in drafted],
                    [each.after for each in drafted],
                    [each.obliged for each in drafted],
                    [not each.missing for each in drafted],
                )
            ),
            str(sum(len(each.invented) for each in own)),
            str(sum(each.tokens for each in own) // len(own)),
            f"{sum(each.seconds for each in own) / len(own):.1f}",
        )
    return table


if __name__ == "__main__":
    sys.exit(main())
