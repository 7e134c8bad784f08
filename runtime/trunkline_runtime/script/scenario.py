"""A scenario: a whole call as a file says it, for `call --script` and for tests of a flow."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import yaml

from trunkline_runtime.failure import FatalError
from trunkline_runtime.schema import validator
from trunkline_runtime.script.model import Generation
from trunkline_runtime.table.canonical import Json

# libyaml, as the compiler reads: the two do not accept the same, and it is ten times as fast.
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# A scenario is a page of text; anything larger is not one.
_LARGEST = 1_000_000


@dataclass(frozen=True)
class Turn:
    """What the caller does (one of `says`, `key`, `silence` in seconds, `hangs_up`, or nothing:
    the call begins), and the generations of the model that follow."""

    model: tuple[Generation, ...] = ()
    says: str | None = None
    key: str | None = None
    silence: float | None = None
    hangs_up: bool = False

    @classmethod
    def from_document(cls, written: Mapping[str, Any]) -> "Turn":
        return cls(
            model=tuple(Generation.from_document(each) for each in written.get("model", ())),
            says=written.get("caller"),
            key=written.get("key"),
            silence=written.get("silence"),
            hangs_up=written.get("hangup", False),
        )

    @property
    def begins(self) -> bool:
        """Whether the caller does nothing: the generations before their first word."""
        return self.says is None and self.key is None and self.silence is None and not self.hangs_up


@dataclass(frozen=True)
class Scenario:
    """One scripted call. `answers` are those that tools give before the sandbox is asked.

    `absent` are the names of numbers that nobody picks up at. `instructions` tell how the caller
    behaves and `agent_expectations` what the agent should do, for a run with real models.
    """

    label: str
    turns: tuple[Turn, ...]
    instructions: str = ""
    agent_expectations: str = ""
    at: datetime | None = None
    number: str | None = None
    inputs: Mapping[str, Json] = field(default_factory=dict)
    answered_by: str | None = None
    start_at: str | None = None
    slots: Mapping[str, Json] = field(default_factory=dict)
    facts: tuple[str, ...] = ()
    disclosed: tuple[str, ...] = ()
    answers: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    expect: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_scripted(self) -> bool:
        """Whether it says what happens or what must come of it; else only real models play it."""
        return bool(self.turns or self.expect)

    @classmethod
    def from_document(cls, written: Mapping[str, Any]) -> "Scenario":
        """A scenario of a file that has been checked against `scenarios.schema.json`."""
        return cls(
            label=written["label"],
            turns=tuple(Turn.from_document(turn) for turn in written.get("turns", ())),
            instructions=written.get("instructions", ""),
            agent_expectations=written.get("agent_expectations", ""),
            at=datetime.fromisoformat(written["at"]) if "at" in written else None,
            number=written.get("number"),
            inputs=written.get("inputs", {}),
            answered_by=written.get("answered_by"),
            start_at=written.get("start_at"),
            slots=written.get("slots", {}),
            facts=tuple(written.get("facts", ())),
            disclosed=tuple(written.get("disclosed", ())),
            answers={tool: tuple(given) for tool, given in written.get("tools", {}).items()},
            absent=frozenset(written.get("absent", ())),
            expect=written.get("expect", {}),
        )


def read_scenarios(path: Path) -> tuple[Scenario, ...]:
    """The scenarios of a file. Raises FatalError for one that cannot be read or used."""
    try:
        data = path.read_bytes()
        if len(data) > _LARGEST:
            raise FatalError(f"{path} is too large for a scenario file")
        document = yaml.load(data.decode("utf-8"), Loader=_Loader)
    except OSError as error:
        raise FatalError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise FatalError(f"{path} is not UTF-8 text") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        raise FatalError(f"{path}{where}: this is not YAML") from None
    for problem in validator("scenarios").iter_errors(document):
        place = "/".join(str(part) for part in problem.absolute_path) or "the file"
        raise FatalError(f"{path}: {place}: {problem.message[:200]}")
    return tuple(Scenario.from_document(each) for each in document["scenarios"])


def scenario_called(scenarios: tuple[Scenario, ...], label: str | None, path: Path) -> Scenario:
    """The scenario of a label, or the first one. Raises FatalError, naming those there are."""
    if label is None:
        return scenarios[0]
    for scenario in scenarios:
        if scenario.label == label:
            return scenario
    known = "; ".join(scenario.label for scenario in scenarios)
    raise FatalError(f"{path} has no scenario {label!r}; it has: {known}")
