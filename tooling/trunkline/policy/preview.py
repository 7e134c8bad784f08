"""How many numbers of a file would be skipped at an instant, by reason, without telling one."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from trunkline_runtime.policy.judge import judge
from trunkline_runtime.policy.question import Party, Question
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.policy.verdict import ReasonKind


@dataclass(frozen=True)
class Preview:
    """Counts over a file. A number with several reasons counts once, under the first."""

    total: int
    allowed: int
    skipped: tuple[tuple[ReasonKind, str, int], ...]


def preview(rules: Rules, question: Question, numbers: Iterable[str]) -> Preview:
    """What the engine says of `question` for each number."""
    total = allowed = 0
    skipped: Counter[tuple[ReasonKind, str]] = Counter()
    for number in numbers:
        total += 1
        verdict = judge(rules, replace(question, parties=(Party(number),)))
        if verdict.allowed:
            allowed += 1
        else:
            first = verdict.reasons[0]
            skipped[first.kind, first.rule] += 1
    ranked = sorted(skipped.items(), key=lambda item: (-item[1], item[0]))
    return Preview(total, allowed, tuple((kind, rule, count) for (kind, rule), count in ranked))


def numbers_in(text: str) -> list[str]:
    """One number a line; of a line with commas the first field counts. Blank lines and a first
    line without any digit (a heading) are left out.
    """
    lines = [line.partition(",")[0].strip().strip('"') for line in text.splitlines()]
    if lines and not any(map(str.isdigit, lines[0])):
        lines = lines[1:]
    return [line for line in lines if line]
