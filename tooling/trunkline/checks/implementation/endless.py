"""Patterns on which Python can think for ever: `(a+)+` before a text that does not fit in the end.

A pattern is such a one if a loop of it reads some text in two ways: each round doubles the ways
that are tried (Weber and Seidl, On the degree of ambiguity of finite automata, 1991). The automaton
is Glushkov's: a state for each character of the pattern, and here a count of how often a step from
one to the next is possible.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from re import _constants as op  # type: ignore[attr-defined]  # the parser of Python's own `re`
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from trunkline.graph.reach import components

LONGEST = 500  # characters of a pattern; what people write has 50
ENDLESS = (
    "some texts would keep this pattern busy for ever: a repetition reads them in several ways"
)
ENDLESS_HELP = "Let each round begin with what the round before cannot end with: `\\w+( \\w+)*`."
_FEW = 10  # rounds; a repetition that is bounded so is no loop
_MOST = 200_000  # steps of two ways side by side; a pattern with more is taken for an endless one
_OTHERS = "aZ5_ -.~é日٣\n"
_CATEGORIES: dict[Any, Callable[[str], object]] = {
    op.CATEGORY_DIGIT: re.compile(r"\d").match,
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D").match,
    op.CATEGORY_SPACE: re.compile(r"\s").match,
    op.CATEGORY_NOT_SPACE: re.compile(r"\S").match,
    op.CATEGORY_WORD: re.compile(r"\w").match,
    op.CATEGORY_NOT_WORD: re.compile(r"\W").match,
}


@dataclass
class _Part:
    """A part of a pattern: the states that it can begin and end with, and in how many ways it is
    empty, each counted.
    """

    first: Counter[int] = field(default_factory=Counter)
    last: Counter[int] = field(default_factory=Counter)
    empty: int = 1


def is_endless(pattern: str) -> bool:
    """True if the time for a text may double with each of its characters.

    `pattern` is one that Python compiles. What looks around or back counts as if it were not there.
    """
    tree = _parser.parse(pattern)
    alphabet = "".join(sorted({*pattern, *_OTHERS, *_neighbours(pattern)}))
    automaton = _Automaton(alphabet, bool(tree.state.flags & re.IGNORECASE))
    automaton.add(tree)
    return automaton.is_ambiguous()


def _neighbours(pattern: str) -> Iterator[str]:
    """Characters beside those of the pattern: the ends of a range tell little of its middle."""
    for character in set(pattern):
        code = ord(character)
        yield from (chr(code - 1), chr(code + 1)) if 0 < code < 0xD000 else ()


class _Automaton:
    """States, the characters that lead into each, and the steps between them."""

    def __init__(self, alphabet: str, ignores_case: bool) -> None:
        self._alphabet = alphabet
        self._ignores_case = ignores_case
        self._accepts: list[frozenset[str]] = []
        self._steps: Counter[tuple[int, int]] = Counter()

    def add(self, items: Any) -> _Part:
        """A sequence of the parser's items."""
        whole = _Part()
        for operator, argument in items:
            part = self._part(operator, argument)
            self._join(whole, part)
            whole = _Part(
                first=whole.first + _times(part.first, whole.empty),
                last=part.last + _times(whole.last, part.empty),
                empty=whole.empty * part.empty,
            )
        return whole

    def _part(self, operator: Any, argument: Any) -> _Part:
        if operator in (op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY):
            return self._state(operator, argument)
        if operator is op.SUBPATTERN:
            return self.add(argument[-1])
        if operator is op.ATOMIC_GROUP:
            return self.add(argument)
        if operator is op.BRANCH:
            parts = [self.add(branch) for branch in argument[1]]
            return _Part(
                first=sum((part.first for part in parts), Counter()),
                last=sum((part.last for part in parts), Counter()),
                empty=sum(part.empty for part in parts),
            )
        if operator in (op.MAX_REPEAT, op.MIN_REPEAT):
            return self._repeated(*argument)
        return _Part()

    def _state(self, operator: Any, argument: Any) -> _Part:
        number = len(self._accepts)
        read = {each for each in self._alphabet if _reads(operator, argument, each)}
        if self._ignores_case:
            read |= {each.swapcase() for each in read}
        self._accepts.append(frozenset(read))
        return _Part(Counter({number: 1}), Counter({number: 1}), 0)

    def _repeated(self, least: int, most: int, items: Any) -> _Part:
        part = self.add(items)
        if most is op.MAXREPEAT or most > _FEW:
            self._join(part, part)
        return _Part(part.first, part.last, 1 if least == 0 else part.empty)

    def _join(self, before: _Part, after: _Part) -> None:
        for here, ways in before.last.items():
            for there, others in after.first.items():
                self._steps[here, there] += ways * others

    def is_ambiguous(self) -> bool:
        """True if from some state two ways lead back to it that read the same text."""
        out: list[list[int]] = [[] for _ in self._accepts]
        for here, there in self._steps:
            out[here].append(there)
        loop = {
            state: number for number, loop in enumerate(components(out)) for state in loop
        }  # a state that no step leads back to is a loop of its own, without a step inside
        inside = {
            here: [there for there in out[here] if loop[there] == loop[here]] for here in loop
        }
        twice = any(self._steps[here, there] > 1 for here in inside for there in inside[here])
        return twice or self._meet(inside)

    def _meet(self, inside: dict[int, list[int]]) -> bool:
        """True if two ways through a loop can part and meet again where they parted."""
        numbers = {(state, state): number for number, state in enumerate(inside)}
        pairs = list(numbers)
        successors: list[Sequence[int]] = []
        looked_at = 0
        for one, other in pairs:  # grows while it is walked
            reached = []
            looked_at += len(inside[one]) * len(inside[other])
            if looked_at > _MOST:
                return True
            for left in inside[one]:
                for right in inside[other]:
                    if self._accepts[left] & self._accepts[right]:
                        if (left, right) not in numbers:
                            numbers[left, right] = len(pairs)
                            pairs.append((left, right))
                        reached.append(numbers[left, right])
            successors.append(reached)
        for members in components(successors):
            same = {pairs[number][0] == pairs[number][1] for number in members}
            if len(same) > 1:
                return True
        return False


def _times(counter: Counter[int], factor: int) -> Counter[int]:
    return Counter({state: ways * factor for state, ways in counter.items() if factor})


def _reads(operator: Any, argument: Any, character: str) -> bool:
    """True if an item of the parser reads the character."""
    if operator is op.ANY:
        return character != "\n"
    if operator is op.IN:
        inverted = argument[0][0] is op.NEGATE
        return inverted != any(_reads(inner, what, character) for inner, what in argument)
    if operator is op.LITERAL:
        return bool(ord(character) == argument)
    if operator is op.NOT_LITERAL:
        return bool(ord(character) != argument)
    if operator is op.RANGE:
        return bool(argument[0] <= ord(character) <= argument[1])
    return operator is op.CATEGORY and bool(_CATEGORIES[argument](character))
