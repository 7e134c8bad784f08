"""Which of many connected tools a brief needs: those that share its words, and what proves them."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from trunkline_runtime.catalogue.entry import ToolEntry

# More than this crowds a model: it chooses worse, and the prompt grows for nothing.
MOST_TOOLS = 24

_WORD = re.compile(r"[a-z]{3,}")
_STEM = 5  # letters: enough that `paying` and `payment` differ from `reminder`
_COMMON = frozenset(
    {"the", "and", "for", "that", "with", "this", "from", "are", "was", "not", "you"}
)


def needed_tools(
    tools: Sequence[ToolEntry],
    words: str,
    required: Mapping[str, Iterable[str]],
    most: int = MOST_TOOLS,
) -> list[ToolEntry]:
    """At most `most` of the tools, in their own order; all of them if they are no more.

    Rare words count more than common ones. A tool whose effect requires a fact (`required`:
    effect → facts) brings a tool that establishes it.
    """
    if len(tools) <= most:
        return list(tools)
    spoken = {tool.id: _stems(_text(tool)) for tool in tools}
    spread = Counter(stem for stems in spoken.values() for stem in stems)
    wanted = _stems(words)
    score = {
        id: sum(math.log(1 + len(tools) / spread[stem]) for stem in stems & wanted)
        for id, stems in spoken.items()
    }
    ranked = sorted(tools, key=lambda tool: (-score[tool.id], tool.id))
    chosen: dict[str, ToolEntry] = {}
    for tool in ranked:
        # What proves its facts comes with it, or not at all: half of the two is of no use.
        together = {tool.id: tool, **_provers(tool, ranked, required)}
        if len(chosen.keys() | together.keys()) <= most:
            chosen.update(together)
    return [tool for tool in tools if tool.id in chosen]


def _provers(
    tool: ToolEntry, ranked: Sequence[ToolEntry], required: Mapping[str, Iterable[str]]
) -> dict[str, ToolEntry]:
    facts = {fact for effect in tool.effects for fact in required.get(effect, ())}
    found = {}
    for fact in sorted(facts):
        prover = next((each for each in ranked if fact in each.establishes), None)
        if prover is not None:
            found[prover.id] = prover
    return found


def _text(tool: ToolEntry) -> str:
    arguments = tool.parameters.get("properties", {})
    return " ".join([tool.id, tool.connection, tool.description, *tool.effects, *arguments])


def _stems(text: str) -> frozenset[str]:
    found = _WORD.findall(text.lower().replace("_", " "))
    return frozenset(word[:_STEM] for word in found if word not in _COMMON)
