"""How much of a flow its scenarios reach, and what none of them does."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trunkline.scenario.result import Way
from trunkline.scenario.spot import Spot

# What is counted, in the order in which it is told; `rule` is counted for a whole run.
KINDS = ("node", "edge", "guard", "refusal", "rule")


@dataclass(frozen=True)
class Coverage:
    """The coverage of one flow (or of the policy, where `flow` is empty).

    `spots` is everything that there is to reach, `missed` what no scenario reached, both in the
    order of the file.
    """

    tenant: str
    flow: str
    spots: tuple[Spot, ...]
    missed: tuple[Spot, ...]

    @property
    def name(self) -> str:
        return f"{self.tenant}/{self.flow}" if self.flow else "policy"

    def counts(self) -> Iterator[tuple[str, int, int]]:
        """Kind, how many of it were reached, and how many there are; only of what there is."""
        for kind in KINDS:
            there = sum(spot.kind == kind for spot in self.spots)
            if there:
                yield kind, there - sum(spot.kind == kind for spot in self.missed), there

    def share(self, kind: str) -> float:
        """The percentage of a kind that was reached; 100 where there is none of it."""
        for each, reached, there in self.counts():
            if each == kind:
                return 100.0 * reached / there
        return 100.0


def coverage_of(
    ground: Mapping[tuple[str, str], Sequence[Spot]],
    reached: Mapping[str, frozenset[Way]],
) -> tuple[Coverage, ...]:
    """The coverage of each flow of `ground`, by tenant and flow.

    `reached` maps a tenant to all that its scenarios reached: a flow may be reached by a link.
    """
    found = []
    for (tenant, flow), spots in sorted(ground.items()):
        ways = reached.get(tenant, frozenset())
        missed = tuple(spot for spot in spots if spot.way not in ways)
        found.append(Coverage(tenant, flow, tuple(spots), missed))
    return tuple(found)


def below(coverage: Iterable[Coverage], floors: Mapping[str, float]) -> tuple[str, ...]:
    """One sentence for each floor that is not met; `floors` maps a kind to a percentage."""
    return tuple(
        f"{each.name}: {each.share(kind):.1f}% of the {kind}s are reached, and {floor:g}% must be"
        for each in coverage
        for kind, floor in floors.items()
        if each.share(kind) < floor and (kind == "rule") == (not each.flow)
    )
