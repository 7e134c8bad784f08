"""What a comparison gives: edits as they are found, and changes as a reader gets them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from trunkline.diff.kinds import KINDS, Kind
from trunkline.diff.level import Level
from trunkline_runtime.table.canonical import Json

FlowId = tuple[str, str]  # tenant, flow


@dataclass(frozen=True)
class Cause:
    """The one file behind edits in many flows: a shared flow, a catalogue entry, the policy."""

    kind: str  # shared | catalogue | policy
    path: str


@dataclass(frozen=True)
class Edit:
    """One difference between two revisions, as it was found.

    `part` says which part of the node, flow or document it is about, and is the same for the
    same edit elsewhere. `message` is a sentence without tenant, flow or node. `circumstances`
    may raise the level. `affects` are the flows that a change outside of flows reaches. `at` are
    the nodes that it reaches, by flow. `name` is what other edits of the tenant call this one in
    their `effect_of`; both are empty where nothing hangs together. `to` is the node that a changed
    exit leads to.
    """

    kind: str
    message: str
    tenant: str | None = None
    flow: str | None = None
    node: str | None = None
    part: str = ""
    before: Json = None
    after: Json = None
    trace: tuple[str, ...] = ()
    circumstances: frozenset[str] = frozenset()
    cause: Cause | None = None
    affects: tuple[FlowId, ...] = ()
    at: Mapping[FlowId, tuple[str, ...]] = field(default_factory=dict)
    to: str = ""
    name: str = ""
    effect_of: str = ""

    @property
    def registered(self) -> Kind:
        """The kind, as the registry has it."""
        return KINDS[self.kind]

    @property
    def level(self) -> Level:
        """The level of the kind under these circumstances."""
        return self.registered.level_in(self.circumstances)


@dataclass(frozen=True)
class Variant:
    """The same change with other words: the flows that have it, and what they say."""

    affects: tuple[FlowId, ...]
    before: Json
    after: Json


@dataclass(frozen=True)
class Change:
    """One entry of a comparison, with numbers and secrets masked.

    `tenant`, `flow` and `node` are None where the entry is about several, or none. `affects` are
    all the flows that it changes, `nodes` the nodes in each of them, where they are known. `cause`
    is the file behind it, if that is not the flow's own; `effect_of` the fingerprint of the change
    that brought it about. `why` says why the level is not `info`.
    `fingerprint` is over the content, so it outlives a push that does not touch the change.
    """

    level: Level
    kind: str
    tenant: str | None
    flow: str | None
    node: str | None
    message: str
    fingerprint: str
    before: Json
    after: Json
    affects: tuple[FlowId, ...] = ()
    trace: tuple[str, ...] = ()
    cause: str = ""
    variants: tuple[Variant, ...] = field(default=())
    why: str = ""
    nodes: tuple[tuple[str, ...], ...] = ()
    effect_of: str = ""

    @property
    def area(self) -> str:
        """The area of the kind."""
        return KINDS[self.kind].area


def highest(changes: Iterable[Change]) -> Level | None:
    """The highest level among the changes, or None if there are none."""
    return max((change.level for change in changes), default=None)
