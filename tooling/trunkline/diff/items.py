"""What a reader weighs: a cause with all that it brings about, as one item."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from trunkline.diff.change import Change
from trunkline.diff.level import Level

# What callers meet stands before what it comes from, whatever the levels are.
_HEARD_FIRST = frozenset({"inbound-removed", "inbound-changed"})


@dataclass(frozen=True)
class Item:
    """A cause and its effects. `members` are all of them, the one to read first in front, then
    the cause, then the others by harm."""

    cause: Change
    members: tuple[Change, ...]

    @property
    def lead(self) -> Change:
        """The one to read first: what harms most, or what callers meet."""
        return self.members[0]

    @property
    def rest(self) -> tuple[Change, ...]:
        """The others."""
        return self.members[1:]

    def worst(self, accepted: Collection[str]) -> Change:
        """The change with the highest level, of those whose fingerprint is not in `accepted`."""
        left = [change for change in self.members if change.fingerprint not in accepted]
        return max(left or self.members, key=lambda change: change.level)

    @property
    def level(self) -> Level:
        """The worst level in it."""
        return max(change.level for change in self.members)


def items_of(changes: Sequence[Change]) -> tuple[Item, ...]:
    """The changes, each cause with its effects; in the order of the worst of each."""
    by_name = {change.fingerprint: change for change in changes}
    groups: dict[str, list[Change]] = {}
    for change in changes:
        groups.setdefault(_root(change, by_name), []).append(change)
    return tuple(_item(by_name[root], group) for root, group in groups.items())


def _root(change: Change, by_name: Mapping[str, Change]) -> str:
    """The fingerprint of the first cause; a stranger's list may name none, or go round."""
    seen: list[str] = [change.fingerprint]
    while change.effect_of in by_name and change.effect_of not in seen:
        change = by_name[change.effect_of]
        seen.append(change.fingerprint)
    return min(seen) if change.effect_of in seen else seen[-1]


def _item(cause: Change, group: Iterable[Change]) -> Item:
    def harm(change: Change) -> tuple[bool, int, bool]:
        return change.kind not in _HEARD_FIRST, -change.level, change is not cause

    members = sorted(group, key=harm)
    if cause in members[1:]:
        members = [members[0], cause, *(one for one in members[1:] if one is not cause)]
    return Item(cause, tuple(members))
