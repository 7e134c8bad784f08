"""What a call of a tool costs, in two revisions of its catalogue entry."""

from collections.abc import Iterator

from trunkline.diff.change import Edit
from trunkline.diff.phrases import grown, money
from trunkline_runtime.catalogue.entry import Cost


def cost_edit(name: str, old: Cost | None, new: Cost | None) -> Iterator[Edit]:
    """The difference between two prices of the tool called `name`; at most one edit."""
    if old == new:
        return
    free = Cost(currency=(new or old or Cost("USD")).currency, micros=0)
    was, now = old or free, new or free
    comparable = was.currency == now.currency and was.worst_micros != now.worst_micros
    if not comparable:
        kind = "cost-changed"
    else:
        kind = "cost-raised" if now.worst_micros > was.worst_micros else "cost-lowered"
    if comparable and was.expression is None and now.expression is None:
        told = grown(now.worst_micros, was.worst_micros, now.currency)
    else:
        told = f"{_told(now)} instead of {_told(was)}"
    message = f"each use of {name} costs {told}"
    yield Edit(kind, message, part="cost", before=_told(was), after=_told(now))


def _told(cost: Cost) -> str:
    most = money(cost.worst_micros, cost.currency)
    return most if cost.expression is None else f"`{cost.expression}`, at most {most}"
