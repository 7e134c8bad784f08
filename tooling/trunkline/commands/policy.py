"""`trunkline policy`: why a call is allowed or not, tests of the rules, a preview of many."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from trunkline.commands.policy_dnc import FORMAT, dnc
from trunkline.failure import FatalError
from trunkline.policy.known_names import (
    require_consents,
    require_disclosures,
    require_facts,
    require_flow,
    require_purpose,
)
from trunkline.policy.preview import numbers_in, preview
from trunkline.policy.reading import PolicySources, read_policy
from trunkline.policy.testing import run_tests, untested_rules
from trunkline.report import policy as told
from trunkline.report.decision import recorded_text
from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.list_folder import ListFolder
from trunkline_runtime.policy.on_record import NotOnRecord, decision_on_record, record_folder
from trunkline_runtime.policy.question import Party, Question

_EFFECTS = ("reads_pii", "contact", "payment", "writes", "transfer")


class _Instant(click.ParamType[datetime]):
    """An instant with its offset from UTC, such as 2026-12-01T15:00:00Z."""

    name = "instant"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            return instant(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


_ASKING: tuple[Callable[[Any], Any], ...] = (
    click.option("--at", "at", type=_Instant(), help="When; now if it is not given."),
    click.option("--purpose", help="Why the call is made; needed where the tenant has several."),
    click.option("--flow", help="The flow, for exceptions that name one."),
    click.option("--tool", help="A tool of the catalogue instead of the dial."),
    click.option("--effect", type=click.Choice(_EFFECTS), help="An effect instead of the dial."),
    click.option(
        "--voice",
        type=click.Choice(["artificial", "human"]),
        default="artificial",
        help="Who speaks.",
    ),
    FORMAT,
)


def _asking(function: Callable[..., int]) -> Callable[..., int]:
    for option in reversed(_ASKING):
        function = option(function)
    return function


@click.group("policy")
def command() -> None:
    """Asks the policy engine: the one that stands in front of every tool of a call."""


command.add_command(dnc)


@command.command("why")
@click.option("--tenant", help="Whose call.")
@_asking
@click.option("--number", help="The other party, in E.164: +12025550143.")
@click.option("--address", help='A known address: US-FL, or "Pensacola, FL".')
@click.option("--subject", help="What the call is about, such as an account.")
@click.option("--fact", "facts", multiple=True, help="A fact that is proven; looks at facts.")
@click.option("--consent", "consents", multiple=True, help="A consent given; looks at consents.")
@click.option("--disclosed", multiple=True, help="A disclosure spoken; looks at disclosures.")
@click.option("--decision", help="The id of a decision on record, instead of a question.")
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    help="Where the record lies; decisions in TRUNKLINE_STATE_DIR if it is not given.",
)
@click.pass_obj
def why(
    root: Path,
    /,
    tenant: str | None,
    number: str | None,
    address: str | None,
    subject: str | None,
    facts: tuple[str, ...],
    consents: tuple[str, ...],
    disclosed: tuple[str, ...],
    decision: str | None,
    record: Path | None,
    format: str,
    **asked: Any,
) -> int:
    """Whether a call or a tool is allowed at an instant, and every rule that has a say.

    With --decision: why one that is on record was taken, as it was taken then. The exit code is no
    answer: it is 0 for an allow and for a deny, and 2 for what can't be asked; --format json has
    `decision`.
    """
    if decision is not None:
        if tenant or number:
            raise FatalError("give --decision, or --tenant and --number with a question; not both")
        return _why_on_record(record or record_folder(), decision, format)
    if tenant is None or number is None:
        raise FatalError("give --tenant and --number, or --decision ID for one on record")
    policy = read_policy(root)
    require_facts(policy, facts)
    require_consents(policy.platform, consents)
    require_disclosures(policy, disclosed)
    question = _question(
        policy,
        tenant=tenant,
        **asked,
        parties=(Party(number, address),),
        subject=subject,
        facts=frozenset(facts) or None,
        consents=frozenset(consents) or None,
        disclosed=frozenset(disclosed) or None,
    )
    verdict = judge(policy.rules_for(question.tenant), question)
    text = told.why_json(verdict) if format == "json" else told.why_text(question, verdict)
    click.echo(text, nl=False)
    return 0


def _why_on_record(folder: Path, id: str, format: str) -> int:
    try:
        recorded = decision_on_record(folder, id)
    except NotOnRecord as problem:
        raise FatalError(str(problem)) from None
    except OSError as problem:
        raise FatalError(f"{folder}: {problem.strerror}") from None
    as_json = format == "json"
    click.echo(told.why_json(recorded.verdict) if as_json else recorded_text(recorded), nl=False)
    return 0


@command.command("test")
@FORMAT
@click.pass_obj
def test(root: Path, format: str) -> int:
    """Runs policy/tests/*.yaml and names the rules that lack a pass or a deny."""
    policy = read_policy(root)
    results = tuple(run_tests(policy))
    render = told.tests_json if format == "json" else told.tests_text
    click.echo(render(results, untested_rules(policy, results)), nl=False)
    return int(any(not result.passed for result in results))


@command.command("preview")
@click.option("--tenant", required=True, help="Whose call.")
@_asking
@click.option(
    "--numbers",
    "file",
    required=True,
    type=click.Path(path_type=Path),
    help="A file with one number a line.",
)
@click.pass_obj
def preview_command(root: Path, /, file: Path, format: str, **asked: Any) -> int:
    """How many numbers of a file would be skipped, by reason; no number is printed."""
    policy = read_policy(root)
    try:
        numbers = numbers_in(file.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise FatalError(f"{file}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise FatalError(f"{file}: this is no text in UTF-8") from None
    question = _question(policy, **asked)
    found = preview(policy.rules_for(question.tenant), question, numbers)
    render = told.preview_json if format == "json" else told.preview_text
    click.echo(render(found), nl=False)
    return 0


def _question(
    policy: PolicySources,
    *,
    tenant: str,
    at: datetime | None,
    purpose: str | None,
    flow: str | None,
    tool: str | None,
    effect: str | None,
    voice: str,
    **known: Any,
) -> Question:
    if tool is not None and effect is not None:
        raise FatalError("give --tool or --effect, not both")
    policy.tenant(tenant)
    require_flow(policy, tenant, flow)
    require_purpose(policy.platform, purpose)
    chosen = policy.purpose_for(tenant, purpose, flow)
    dial = tool is None and effect is None
    return Question(
        tenant=tenant,
        purpose=chosen,
        now=at or datetime.now(UTC).replace(microsecond=0),
        flow=flow,
        tool=tool,
        direction="outbound" if dial else policy.direction_for(chosen),
        voice=voice,
        effects=policy.effects_of(tool) if tool else frozenset({effect} if effect else ()),
        dial=dial,
        lists=ListFolder.of_environment(),
        **known,
    )
