"""What became of one scenario: its faults, the story up to the first, and what it reached.

Plain data: it goes from one process to another, and printing needs nothing of the runtime.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from trunkline.scenario.usage import Usage

# Names something that a scenario can reach, such as ("edge", flow, node, "0"): see `ground`.
Way: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Fault:
    """One expectation that was not met; `what` is its key under `expect`, or `script`."""

    what: str
    expected: str
    actual: str


@dataclass(frozen=True)
class SeenExit:
    """An exit of the node at which the story stops, and why it was open or not.

    `line` is where it stands in the file `path`; 0 if that is not known.
    """

    to: str
    when: str | None
    open: bool
    why: str
    path: str = ""
    line: int = 0


@dataclass(frozen=True)
class Sight:
    """The call at the moment when it left the way that was expected, or at its end.

    `story` are the lines of the transcript so far; `node` is where the call stood, `flow` in which
    flow, and `exits` are the exits of that node.
    """

    story: tuple[str, ...]
    flow: str
    node: str
    exits: tuple[SeenExit, ...] = ()
    turned: str = ""


@dataclass(frozen=True)
class Result:
    """One scenario that was played. It passed if there are no `faults`.

    `line` is where its label stands in `path`. `seconds` is how long playing it took,
    `usage` what real models used for it.
    """

    tenant: str
    flow: str
    path: str
    line: int
    label: str
    seconds: float
    faults: tuple[Fault, ...] = ()
    sight: Sight | None = None
    reached: frozenset[Way] = field(default=frozenset(), repr=False)
    outcome: str = ""
    usage: Usage = field(default_factory=Usage)

    @property
    def passed(self) -> bool:
        return not self.faults

    @property
    def name(self) -> str:
        """`tenant/flow: label`."""
        return f"{self.tenant}/{self.flow}: {self.label}"
