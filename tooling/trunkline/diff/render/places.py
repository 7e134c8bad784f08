"""Where a change is: the file behind it, or its tenant, flow and node; and the order of places."""

from collections.abc import Iterable

from trunkline.diff.change import Change, FlowId
from trunkline.diff.kinds import KINDS

OUTSIDE = "Shared flows, catalogue and policy"
SEVERAL = "The same in several flows"
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


def place(change: Change) -> str:
    """Where a change is, with ids as code."""
    if change.cause and change.cause.startswith(("catalog/", "policy/")):
        return f"`{change.cause}`"
    if change.cause and change.tenant is None:
        where = f"`{change.cause}`"
    elif change.tenant is None:
        where = f"{len(change.affects)} flows" if change.affects else "everywhere"
    elif change.flow is None:
        where = f"`{change.tenant}`"
    else:
        where = f"`{change.tenant}/{change.flow}`"
    return f"{where}, node `{change.node}`" if change.node is not None else where


def in_heading(change: Change) -> str:
    """Where a change is, below its heading."""
    if heading(change) in (OUTSIDE, SEVERAL):
        return place(change)
    return f"node `{change.node}`" if change.node is not None else ""


def flow_names(flows: Iterable[FlowId]) -> list[str]:
    """`tenant/flow` of each."""
    return [f"{tenant}/{flow}" for tenant, flow in flows]


def is_words(change: Change) -> bool:
    """True if the change is one of words, shown word by word."""
    spoken = KINDS[change.kind].area == "speech" or change.kind in _WORDS
    return spoken and all(isinstance(text, str | None) for text in (change.before, change.after))
