"""TL503: an exception that cannot be relied on, or that runs out.

Finds: an exception in `policy/exceptions.yaml` without a reason, owner, approver, first or last
day, or for longer than 180 days; one from a rule that does not exist or is mandatory; one for a
tenant, flow, node or tool that is not there. One that has ended is a warning and no longer applies,
and from 14 days before its end it is warned of.

On the phone: an exception that matches nothing waives nothing, so the calls that it was made for
are still refused; and one that nobody owns is never taken back.

Fails:

    exceptions:
      - rule: reach-a-human
        target: {tenant: atlas-research, flow: assistant}
        reason: The lines are being rebuilt.

Passes:

    exceptions:
      - rule: reach-a-human
        target: {tenant: atlas-research, flow: assistant}
        reason: The lines are being rebuilt.
        owner: operations@atlas-research.example
        approver: compliance@trunkline.example
        created: "2026-11-01"
        expires: "2027-01-31"
"""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from trunkline.checks.at import error_at, listed, warning_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.place import Place
from trunkline.model.policy import EXCEPTIONS
from trunkline.model.repository import Repository
from trunkline.nearest import did_you_mean
from trunkline_runtime.policy.read_lists import WAIVER_HORIZON, missing_parts, read_waiver
from trunkline_runtime.policy.rule import Waiver

CODE = "TL503"
SOON = timedelta(days=14)

Analyses = Mapping[tuple[str, str], Analysis]


def check_policy(repository: Repository, analyses: Analyses, today: date) -> Iterator[Finding]:
    """Each fault of each exception. One that has ended has no other: it must not block anything."""
    policy = repository.policy
    if "exceptions" in policy.rules.unreadable:
        return
    for index, written in enumerate(policy.documents.get(EXCEPTIONS, {}).get("exceptions", ())):
        place = policy.places[EXCEPTIONS].at("exceptions", index)
        if date.fromisoformat(written.get("expires", "9999-12-31")) < today:
            message = f"this exception ended on {written['expires']}, so the rule holds again"
            yield warning_at(CODE, place.at("expires"), message, "Take it out.")
            continue
        yield from _parts(written, place, today)
        yield from _rule(repository, written["rule"], place.at("rule"))
        yield from _target(repository, analyses, written["target"], place.at("target"))


def _parts(written: Mapping[str, Any], place: Place, today: date) -> Iterator[Finding]:
    missing = missing_parts(written)
    if missing:
        message = f"this exception has no {listed(missing)}, so it waives nothing"
        help = "Say who wants it and why, who approved it, and from when to when it holds."
        yield error_at(CODE, place, message, help)
        return
    waiver: Waiver = read_waiver(written)
    if waiver.lasts < timedelta(0):
        message = "this exception ends before it begins"
        yield error_at(CODE, place.at("expires"), message, "`created` is its first day.")
    elif waiver.lasts > WAIVER_HORIZON:
        most = WAIVER_HORIZON.days
        message = f"this exception holds for {waiver.lasts.days} days; {most} are the most"
        last = waiver.created + WAIVER_HORIZON
        help = f'Write "{last}" or earlier, or change the rule itself.'
        yield error_at(CODE, place.at("expires"), message, help)
    elif waiver.expires - today <= SOON:
        message = f"this exception ends on {waiver.expires}, and the rule holds again after it"
        help = "Make the exception unnecessary until then, or have a new one approved."
        yield warning_at(CODE, place.at("expires"), message, help)


def _rule(repository: Repository, id: str, place: Place) -> Iterator[Finding]:
    rules = repository.policy.rules
    levels = {rule.id: rule.level for rule in rules.of_platform()}
    if id in levels:
        if levels[id] != "overridable":
            message = f"`{id}` is mandatory: no exception waives it"
            help = "Take the exception out; compliance decides the level of a rule."
            yield error_at(CODE, place, message, help)
    elif not rules.unreadable:
        message = f"no rule of the policy is called `{id}`, so this exception matches nothing"
        known = [rule for rule, level in levels.items() if level == "overridable"]
        yield error_at(CODE, place, message, did_you_mean(id, known) or _overridable(known))


def _overridable(known: list[str]) -> str:
    return f"The rules that can be waived are {listed(tuple(sorted(known)))}." if known else ""


def _target(
    repository: Repository, analyses: Analyses, target: Mapping[str, str], place: Place
) -> Iterator[Finding]:
    """The first part of the target that is not there; what cannot be read is not judged."""
    tenant = target["tenant"]
    tenants = {owner for owner, _ in analyses} | repository.tenants.keys()
    if tenant not in tenants and f"flows/{tenant}/tenant.yaml" not in repository.broken:
        yield _matches_nothing("tenant", tenant, tenants, place)
        return
    named = [(owner, flow) for owner, flow in analyses if owner == tenant]
    known = repository.flow_ids_of(tenant)
    if "flow" in target:
        if target["flow"] not in known:
            yield _matches_nothing("flow", target["flow"], known, place)
            return
        named = [key for key in named if key[1] == target["flow"]]
        known = known & {target["flow"]}
    if len(named) < len(known) or not {"node", "tool"} & target.keys():
        return
    flows = {flow: analyses[owner, flow] for owner, flow in named}
    if any(one.inlined.obstacles for one in flows.values()):
        return
    nodes = {id for one in flows.values() for id in one.inlined.nodes}
    if "node" in target and target["node"] not in nodes:
        yield _matches_nothing("node", target["node"], nodes, place)
    tools = {id for one in flows.values() for id in one.tools}
    if "tool" in target and target["tool"] not in tools:
        yield _matches_nothing("tool", target["tool"], tools, place)


def _matches_nothing(
    what: str, name: str, known: set[str] | frozenset[str], place: Place
) -> Finding:
    where = {"tenant": "in flows/", "flow": "of this tenant"}.get(what, "in what it names")
    message = f"there is no {what} `{name}` {where}, so this exception matches nothing"
    help = did_you_mean(name, known) or "Take the exception out, or name what it is for."
    return error_at(CODE, place.at(what), message, help)
