"""Runs `policy/tests/*.yaml`: each test is one question to the engine and the answer it wants."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from trunkline.failure import FatalError
from trunkline.policy.reading import PolicySources
from trunkline_runtime.policy.clock import instant, instant_text
from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.question import Contact, ListAnswer, Party, Question
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.spend import judge_spend, spend_plan
from trunkline_runtime.policy.verdict import Reason, Verdict


@dataclass(frozen=True)
class TestResult:
    """One test of one file, with the engine's answer. It passed if there are no `faults`."""

    path: str
    name: str
    faults: tuple[str, ...]
    rules: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.faults


def run_tests(policy: PolicySources) -> Iterator[TestResult]:
    """Every test of the repository, by path and place. A file with errors is one failed test."""
    for path, fault in policy.broken_tests.items():
        yield TestResult(path, "(the file)", (fault,))
    for document in policy.tests:
        for test in document.data["tests"]:
            yield _run(policy, document.path, test)


def _run(policy: PolicySources, path: str, test: Mapping[str, Any]) -> TestResult:
    try:
        rules = policy.rules_for(test["tenant"])
        question = _question(policy, test)
    except (FatalError, ValueError) as problem:
        return TestResult(path, test["name"], (str(problem),))
    verdict = judge(rules, question)
    spent = _spend(rules, question, test, policy.tenant(test["tenant"]))
    taking_part, reasons = verdict.rules + spent.rules, verdict.reasons + spent.reasons
    faults = tuple(_faults(test["expect"], taking_part, reasons, verdict))
    return TestResult(path, test["name"], faults, taking_part, reasons)


def _question(policy: PolicySources, test: Mapping[str, Any]) -> Question:
    tenant, tool = test["tenant"], test.get("tool")
    purpose = policy.purpose_for(tenant, test.get("purpose"))
    effect = test.get("effect")
    effects = policy.effects_of(tool) if tool else frozenset({effect} if effect else ())
    dial = tool is None and effect is None
    if dial and test.get("direction") == "inbound":
        raise ValueError("a dial is no inbound call: name a tool or an effect, or no direction")
    subject = test.get("subject")
    history = tuple(
        Contact(
            instant(contact["at"]),
            contact.get("kind", "attempt"),
            contact.get("subject", subject),
        )
        for contact in test.get("earlier", [])
    )
    return Question(
        tenant=tenant,
        purpose=purpose,
        now=instant(test["at"]),
        flow=test.get("flow"),
        tool=tool,
        # Whatever a purpose is for, who dials calls somebody.
        direction="outbound" if dial else test.get("direction") or policy.direction_for(purpose),
        voice=test.get("voice", "artificial"),
        effects=effects,
        dial=dial,
        parties=(Party(test["number"], test.get("address"), history, test.get("opted_out")),),
        subject=subject,
        facts=_given(test, "facts"),
        consents=_given(test, "consents"),
        disclosed=_given(test, "disclosed"),
        lists=_Answers(test.get("lists", {})),
    )


@dataclass(frozen=True)
class _Answers:
    """What a test says that each list answers; a list that it does not name is clear."""

    answers: Mapping[str, ListAnswer]

    def __call__(self, rule: DoNotCallList, number: str) -> ListAnswer:
        return self.answers.get(rule.id, "clear")


def _given(test: Mapping[str, Any], key: str) -> frozenset[str] | None:
    return frozenset(test[key]) if key in test else None


@dataclass(frozen=True)
class _Spent:
    rules: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()


def _spend(
    rules: Rules, question: Question, test: Mapping[str, Any], settings: Mapping[str, Any]
) -> _Spent:
    cost = test.get("spend")
    if cost is None:
        return _Spent()
    plan = spend_plan(rules, question, cost["currency"], "test", settings.get("timezone", ""))
    part = judge_spend(plan, cost["micros"], cost.get("counted", {}))
    return _Spent(part.rules, part.reasons)


def _faults(
    expect: Mapping[str, Any],
    taking_part: tuple[str, ...],
    reasons: tuple[Reason, ...],
    verdict: Verdict,
) -> Iterator[str]:
    decision = "deny" if reasons else "allow"
    if decision != expect["decision"]:
        yield f"expected {expect['decision']}, got {decision}{_because(reasons)}"
    kinds = {reason.kind for reason in reasons}
    for kind in expect.get("reasons", []):
        if kind not in kinds:
            yield f"expected a reason of kind {kind}{_because(reasons)}"
    for rule in expect.get("rules", []):
        if rule not in taking_part:
            yield f"expected the rule {rule} to take part; those that did: {', '.join(taking_part)}"
    wanted = expect.get("next_allowed")
    if wanted is not None:
        found = verdict.next_allowed
        if found is None or found != instant(wanted):
            shown = instant_text(found) if found else "none"
            yield f"expected {wanted} as the next instant at which it is allowed, got {shown}"


def _because(reasons: tuple[Reason, ...]) -> str:
    if not reasons:
        return "; no rule is against it"
    return "; against it: " + ", ".join(f"{reason.rule} ({reason.kind})" for reason in reasons)


def untested_rules(policy: PolicySources, results: tuple[TestResult, ...]) -> tuple[str, ...]:
    """Rules of the platform that no test sees denying, or none sees taking part and allowing.

    Obligations about the shape of a flow are proven when it is compiled; nothing asks about them.
    """
    platform = policy.platform
    shapes = {rule.id for rule in platform.obligations or ()}
    denied = {reason.rule for result in results for reason in result.reasons}
    allowed = {rule for result in results if not result.reasons for rule in result.rules}
    return tuple(
        rule
        for rule in sorted({rule.id for rule in platform.of_platform()} - shapes)
        if rule not in denied or rule not in allowed
    )
