"""What a tool establishes, and when, in two revisions of its catalogue entry."""

from collections.abc import Iterable, Iterator, Mapping

from trunkline.diff.cases import moved
from trunkline.diff.change import Edit, FlowId
from trunkline.diff.phrases import joined, listed, ticked
from trunkline.diff.rests import Rests
from trunkline_runtime.catalogue.entry import ToolEntry

_MOST_FLOWS = 3


def condition_edits(tool: str, old: ToolEntry, new: ToolEntry, rests: Rests) -> Iterator[Edit]:
    """One edit for each fact that the tool establishes in other cases than before."""
    for fact in sorted(old.establishes.keys() | new.establishes.keys()):
        was, now = old.establishes.get(fact), new.establishes.get(fact)
        if was == now:
            continue
        if was is None:
            kind = "establishes-added"
            told = (
                f"a call now counts as {ticked(fact)} if {ticked(tool)} finds {ticked(now or '')}"
            )
        elif now is None:
            kind = "establishes-removed"
            told = f"a call no longer counts as {ticked(fact)} by what {ticked(tool)} finds"
        else:
            kind = "establishes-changed"
            told = f"a call counts as {ticked(fact)} {_cases(was, now, old, new)}"
        yield Edit(
            kind,
            f"{told}{_resting(rests.opens(tool, fact))}{_written(tool, was, now)}",
            part=f"establishes {fact}",
            before=was,
            after=now,
            circumstances=proof(tool, [fact], rests),
        )


def proof(tool: str, names: Iterable[str], rests: Rests) -> frozenset[str]:
    """The circumstance that a proof rests on what the entry says of one of `names`."""
    return frozenset({"proof"} if any(rests.resting(tool, name) for name in names) else ())


def _cases(was: str, now: str, old: ToolEntry, new: ToolEntry) -> str:
    found = moved(was, now, old, new)
    if found.way == "loosened":
        return f"in more cases (loosened): now also where {found.opened}"
    if found.way == "tightened":
        return f"in fewer cases (tightened): no longer where {found.closed}"
    if found.way == "same":
        return "in the same cases, as far as the schemas of the tool list them"
    if found.opened:
        return f"in other cases (changed): where {found.opened}, no longer where {found.closed}"
    return "in other cases (changed; whether that is more or fewer cannot be told)"


def _resting(tools: Mapping[FlowId, tuple[str, ...]]) -> str:
    """The tools that are only reached with the fact, by flow."""
    if not tools:
        return ""
    named = [
        f"{listed(used)} in {ticked('/'.join(id))}"
        for id, used in list(tools.items())[:_MOST_FLOWS]
    ]
    more = len(tools) - _MOST_FLOWS
    named += [f"more in {more} more flow{'s' * (more != 1)}"] if more > 0 else []
    return f"; on it rest {joined(named)}"


def _written(tool: str, was: str | None, now: str | None) -> str:
    if was is None or now is None:
        return ""
    return f"; {ticked(tool)} establishes it if {ticked(now)} instead of {ticked(was)}"
