"""Where a change is: the file behind it, or its tenant, flow and node; and the order of places."""

from collections.abc import Iterable

from trunkline.diff.change import Change, FlowId
from trunkline.diff.kinds import KINDS

OUTSIDE = "Shared flows, catalogue and policy"
SEVERAL = "The same in several flows"
_NAMING = frozenset({"proof-lost", "proof-gained", "route-opened", "route-closed"})
# Kinds whose `before` and `after` are words to be read as words.
_WORDS = frozenset(
    {
        *("when-changed", "slot-description-changed", "tool-description-changed"),
        *("fact-description-changed", "outcome-description-changed"),
        *("disclosure-text-added", "disclosure-text-changed", "disclosure-text-removed"),
    }
)


def heading(change: Change) -> str:
    """Under which heading a change belongs."""
    if change.cause and change.tenant is None:
        return OUTSIDE
    if change.tenant is None:
        return SEVERAL if change.affects else OUTSIDE
    if change.flow is None:
        own = change.cause or change.area in ("tenant", "channel")
        return change.tenant if own or not change.affects else SEVERAL
    return f"{change.tenant}/{change.flow}"


def grouped(changes: Iterable[Change]) -> dict[str, list[Change]]:
    """The changes by heading: what is outside of flows first, then by tenant and flow."""
    found: dict[str, list[Change]] = {}
    for change in changes:
        found.setdefault(heading(change), []).append(change)
    first = [name for name in (OUTSIDE, SEVERAL) if name in found]
    return {name: found[name] for name in [*first, *sorted(found.keys() - set(first))]}


def place(change: Change, only: FlowId | None = None) -> str:
    """Where a change is, with ids as code; `only` is the flow of which all is, and is said."""
    if change.cause and change.cause.startswith(("catalog/", "policy/")):
        return f"`{change.cause}`"
    if change.cause and change.tenant is None:
        where = f"`{change.cause}`"
    elif change.tenant is None:
        where = f"{len(change.affects)} flows" if change.affects else "everywhere"
    elif change.flow is None:
        where = f"`{change.tenant}`"
    elif (change.tenant, change.flow) == only:
        return _node(change)
    else:
        where = f"`{change.tenant}/{change.flow}`"
    return ", ".join(part for part in (where, _node(change)) if part)


def _node(change: Change) -> str:
    return f"node `{change.node}`" if change.node is not None and not _names(change) else ""


def _names(change: Change) -> bool:
    """True for a change whose message names its own node."""
    return change.kind in _NAMING and f"`{change.node}`" in change.message


def in_heading(change: Change) -> str:
    """Where a change is, below its heading."""
    if heading(change) in (OUTSIDE, SEVERAL):
        return place(change)
    return _node(change)


def flow_names(flows: Iterable[FlowId]) -> list[str]:
    """`tenant/flow` of each."""
    return [f"{tenant}/{flow}" for tenant, flow in flows]


def is_words(change: Change) -> bool:
    """True if the change is one of words, shown word by word."""
    spoken = KINDS[change.kind].area == "speech" or change.kind in _WORDS
    return spoken and all(isinstance(text, str | None) for text in (change.before, change.after))


def beside(change: Change, other: Change) -> str:
    """Where a change is, beside another one: only what differs is said again."""
    same = (change.tenant, change.flow, change.cause) == (other.tenant, other.flow, other.cause)
    inside = change.tenant == other.tenant and None in (change.flow, other.flow)
    if same or (inside and change.node is None):
        return _node(change) if _names(other) or change.node != other.node else ""
    return place(change)
