"""One thing that scenarios can reach: a node, an edge, a guard, a refusal, a rule of the policy."""

from dataclasses import dataclass

from trunkline.scenario.result import Way


@dataclass(frozen=True)
class Spot:
    """Something to reach: its name, where it is written, and what it is in a few words."""

    way: Way
    path: str
    line: int
    words: str

    @property
    def kind(self) -> str:
        """`node`, `edge`, `guard`, `refusal` or `rule`."""
        return self.way[0]
