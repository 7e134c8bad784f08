"""Numbers in words: one reader for all languages, whose words are data (see `number_lists`).

A language says which words are worth what; how they add up is the same in all: something below a
hundred, hundreds of it, thousands and millions of that. German glues its words together
("zweihundertfünf"), so the words are looked for from the left, the longest first.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

_FRENCH_JOINED = re.compile(r"(?<=[a-zàâçéèêëîïôûùüÿœ])-(?=[a-zàâçéèêëîïôûùüÿœ])")


@dataclass(frozen=True)
class NumberWords:
    """The words of one language, in small letters, with a space where some write a hyphen.

    `small` are worth 0 to 99; `hundreds` are words for whole hundreds, `hundred` multiplies what
    stands before it; `one` stands for 1 before a hundred or a unit only ("a hundred"). `joiner` may
    stand between parts, `point` before the decimals, `half` after a number. `glued`: no spaces.
    """

    small: Mapping[str, int]
    hundred: frozenset[str]
    scales: Mapping[str, int]
    point: frozenset[str]
    half: tuple[str, ...]
    minus: str
    hundreds: Mapping[str, int] = field(default_factory=dict)
    one: frozenset[str] = frozenset()
    joiner: frozenset[str] = frozenset()
    glued: bool = False

    @cached_property
    def _any(self) -> re.Pattern[str]:
        words = {*self.small, *self.hundred, *self.scales, *self.hundreds, *self.one, *self.joiner}
        either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
        end = "" if self.glued else r"(?!\w)"
        return re.compile(rf"\s*({either}){end}")

    def parts(self, text: str) -> list[str] | None:
        """The number words that a text consists of; None if there is anything else in it."""
        said = _FRENCH_JOINED.sub(" ", " ".join(text.lower().split()))
        found: list[str] = []
        at = 0
        while at < len(said):
            match = self._any.match(said, at)
            if match is None:
                return None
            found.append(match[1])
            at = match.end()
        return found

    def whole(self, text: str) -> int | None:
        """The whole number that a text says; None for anything else."""
        words = self.parts(text)
        return None if words is None else self._added(words)

    def _added(self, words: list[str]) -> int | None:
        total = 0
        current: int | None = None
        open_hundred = False  # a hundred was said, and what is below it may follow
        highest: int | None = None
        for at, word in enumerate(words):
            if word in self.joiner:
                if at == 0 or at == len(words) - 1:
                    return None
            elif word in self.one and at == 0:
                current = 1
            elif word in self.small:
                if current is not None and not open_hundred:
                    return None
                current, open_hundred = (current or 0) + self.small[word], False
            elif word in self.hundreds:
                if current is not None:
                    return None
                current, open_hundred = self.hundreds[word], True
            elif word in self.hundred:
                if current is not None and (open_hundred or not 0 < current < 100):
                    return None
                current, open_hundred = (1 if current is None else current) * 100, True
            elif word in self.scales:
                scale = self.scales[word]
                if current == 0 or (highest is not None and scale >= highest):
                    return None
                total += (1 if current is None else current) * scale
                current, open_hundred, highest = None, False, scale
            else:
                return None
        return None if current is None and highest is None else total + (current or 0)

    def number(self, text: str) -> float | None:
        """The number that a text says, with decimals ("two point five", "trois et demi")."""
        said = " ".join(text.lower().split())
        for half in self.half:
            if said.endswith(half) and (whole := self.whole(said[: -len(half)])) is not None:
                return whole + 0.5
        for point in self.point:
            before, found, after = said.partition(f" {point} ")
            if found:
                whole, decimals = self.whole(before), self.parts(after)
                if whole is None or not decimals or any(w not in self.small for w in decimals):
                    return None
                return float(f"{whole}." + "".join(str(self.small[word]) for word in decimals))
        plain = self.whole(said)
        return None if plain is None else float(plain)
