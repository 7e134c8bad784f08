"""Scores a draft against what a good flow for its brief must contain."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from trunkline.draft.drafting import Drafted
from trunkline.draft.vocabulary import Vocabulary

BRIEFS = Path(__file__).with_name("briefs.yaml")
OBLIGED = {"TL401", "TL501", "TL502"}  # what policy demands: proofs, obligations, purposes


@dataclass(frozen=True)
class Brief:
    """An operator's words, and the least that a good flow names."""

    name: str
    words: str
    purpose: str
    tools: tuple[str, ...]
    outcomes: tuple[str, ...]
    kinds: tuple[str, ...]
    gap: bool


@dataclass(frozen=True)
class Score:
    """One draft. `missing` is what a good flow names and this one does not; `failure` why there
    is none. `first` and `after` say whether it compiled at once, and after repair.
    """

    brief: str
    first: bool = False
    after: bool = False
    obliged: bool = False
    missing: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    requests: int = 0
    unusable: int = 0
    tokens: int = 0
    seconds: float = 0.0
    failure: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def briefs() -> tuple[Brief, ...]:
    """The twelve."""
    return tuple(
        Brief(
            each["name"],
            each["words"],
            each["good"]["purpose"],
            tuple(each["good"]["tools"]),
            tuple(each["good"]["outcomes"]),
            tuple(each["good"]["kinds"]),
            each["good"].get("gap", False),
        )
        for each in yaml.safe_load(BRIEFS.read_text(encoding="utf-8"))
    )


def score(brief: Brief, drafted: Drafted, words: Vocabulary) -> Score:
    """The score of a draft for the brief."""
    document = drafted.proposal.document
    data = document.data if document is not None else {}
    errors = drafted.proposal.errors
    spent = drafted.spent
    return Score(
        brief=brief.name,
        first=drafted.first == 0,
        after=not errors,
        obliged=not OBLIGED & {each.code for each in errors},
        missing=tuple(_missing(brief, data, bool(drafted.gaps))),
        invented=tuple(_invented(data, words)),
        requests=spent.requests,
        unusable=len(spent.unusable),
        tokens=spent.prompt_tokens + spent.completion_tokens,
        seconds=spent.seconds,
    )


def _missing(brief: Brief, data: Mapping[str, Any], has_gap: bool) -> Iterator[str]:
    nodes = data.get("nodes", {}).values()
    if data.get("purpose") != brief.purpose:
        yield f"purpose {brief.purpose}"
    used = set(_tools(data))
    yield from (f"tool {each}" for each in brief.tools if each not in used)
    outcomes = {node.get("outcome") for node in nodes}
    yield from (f"outcome {each}" for each in brief.outcomes if each not in outcomes)
    kinds = {node.get("kind", "talk") for node in nodes}
    yield from (f"a {each} node" for each in brief.kinds if each not in kinds)
    if brief.gap and not has_gap:
        yield "a gap"


def _invented(data: Mapping[str, Any], words: Vocabulary) -> Iterator[str]:
    """Every id that is none of the tenant's; there must be none, whatever the model says."""
    nodes = data.get("nodes", {})
    offered = {tool.id for tool in words.tools}
    yield from (f"tool {each}" for each in _tools(data) if each not in offered)
    for node in nodes.values():
        if "outcome" in node and node["outcome"] not in words.outcomes:
            yield f"outcome {node['outcome']}"
        if "number" in node and node["number"] not in words.numbers:
            yield f"number {node['number']}"
        for fact in node.get("establishes", ()):
            if fact not in words.confirmable:
                yield f"fact {fact}"
        for text in node.get("speak", ()):
            if text not in words.disclosures:
                yield f"disclosure {text}"
        for edge in node.get("edges", ()):
            if edge["to"] not in nodes:
                yield f"node {edge['to']}"
            for name in edge.get("requires", ()):
                if not name.startswith("slots.") and name not in words.facts:
                    yield f"fact {name}"


def _tools(data: Mapping[str, Any]) -> Iterator[str]:
    nodes = data.get("nodes", {}).values()
    for use in [*(u for n in nodes for u in n.get("tools", ())), *data.get("after_call", ())]:
        yield use if isinstance(use, str) else use["id"]
