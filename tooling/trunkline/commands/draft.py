"""`trunkline draft`: plain words in, a flow out: planned, written, compiled and repaired."""

import re
import sys
from pathlib import Path

import click

from trunkline.draft.asking import MAX_TOKENS, Asking
from trunkline.draft.brief import brief_of, read_brief
from trunkline.draft.compiling import Workbench
from trunkline.draft.drafting import MOST_ROUNDS, draft
from trunkline.draft.keep import keep
from trunkline.draft.scenarios import first_scenarios
from trunkline.draft.server import OpenAiServer, address_here
from trunkline.draft.tool_choice import MOST_TOOLS
from trunkline.draft.vocabulary import vocabulary
from trunkline.failure import FatalError
from trunkline.report.drafted import drafted_text

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_TAKEN = ("tenant", "channels")  # names of other files of a tenant


@click.command("draft")
@click.argument("tenant")
@click.argument("flow")
@click.option(
    "--from",
    "source",
    metavar="FILE",
    type=click.Path(path_type=Path, allow_dash=True),
    help="Where the words stand; `-` or nothing: typed or piped in.",
)
@click.option("--model", help="Else TRUNKLINE_LLM_MODEL, else gpt-oss-120b.")
@click.option(
    "--rounds",
    type=click.IntRange(0, 10),
    default=MOST_ROUNDS,
    show_default=True,
    help="How often findings go back to the model.",
)
@click.option(
    "--most-tools",
    type=click.IntRange(1, 200),
    default=MOST_TOOLS,
    show_default=True,
    help="Of more connected tools than these, the model sees those that the words need.",
)
@click.option(
    "--max-tokens",
    type=click.IntRange(100, 200_000),
    default=MAX_TOKENS,
    show_default=True,
    help="What the model may write in one answer.",
)
@click.option("--replace", is_flag=True, help="Replace a flow that exists, its scenarios too.")
@click.pass_obj
def command(
    root: Path,
    tenant: str,
    flow: str,
    source: Path | None,
    model: str | None,
    rounds: int,
    most_tools: int,
    max_tokens: int,
    replace: bool,
) -> int:
    """Says the flow in plain words, gets flows/TENANT/FLOW.yaml and its first scenarios.

    Asks the server at TRUNKLINE_LLM_BASE_URL. Writes nothing unless the new flow is whole. Exits
    with 1 if errors remain: they stand in the file as `# TODO` lines.
    """
    if _ID.fullmatch(flow) is None or flow in _TAKEN:
        raise FatalError(f"{flow!r} is no name for a flow: small letters, digits, `-` and `_`")
    path, scenarios = f"flows/{tenant}/{flow}.yaml", f"flows/{tenant}/scenarios/{flow}.yaml"
    bench = Workbench(root, path)
    if tenant not in bench.repository.tenants:
        vocabulary(bench.repository, tenant, "")  # says so, with the nearest name
    if (root / path).exists() and not replace:
        raise FatalError(
            f"{path} exists: `trunkline interview {tenant} {flow}` changes it step by step, "
            "--replace writes it anew"
        )
    address = address_here(model)
    words = brief_of(_words(source))
    known = vocabulary(bench.repository, tenant, words, most_tools)
    asking = Asking(OpenAiServer(address), max_tokens)
    drafted = draft(flow, words, known, bench, asking, rounds)
    written = [path]
    keep(root, path, drafted.proposal.text)
    first = first_scenarios(drafted.proposal, tenant, flow)
    if first is not None and (replace or not (root / scenarios).exists()):
        keep(root, scenarios, first)
        written.append(scenarios)
    click.echo(drafted_text(drafted, written), nl=False)
    return int(bool(drafted.proposal.errors))


def _words(source: Path | None) -> str:
    if source is not None and str(source) != "-":
        return read_brief(source)
    if sys.stdin.isatty():
        click.echo("What should the agent do on the phone? End with Ctrl-D on an empty line.")
    return sys.stdin.read()
