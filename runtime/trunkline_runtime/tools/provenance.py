"""Where the arguments of a tool come from: from the caller's mouth, and from what is private."""

from collections.abc import Mapping

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.conditions import uses
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.parts import ToolUse


def spoken_as_required(call: Call, entry: ToolEntry, use: ToolUse) -> bool:
    """Whether each argument that must be spoken is bound to a slot that only the caller filled."""
    set_by_tools = {name for other in uses(call.table) for name in other.sets}
    for name in entry.spoken:
        slot = _plain_slot(use.bind.get(name))
        if slot is None or slot in set_by_tools:
            return False
        known = call.state.slots.get(slot)
        if known is not None and known.source not in ("caller", "given"):
            return False
    return True


def _plain_slot(bound: object) -> str | None:
    """The slot that an argument is bound to as it stands; None for any other expression."""
    if not isinstance(bound, str):
        return None
    text = bound.strip()
    while text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()  # a param that was filled in stands in parentheses
    room, _, name = text.partition(".")
    return name if room == "slots" and name.isidentifier() else None


def private_arguments(
    call: Call, entry: ToolEntry, use: ToolUse, args: Mapping[str, Json]
) -> frozenset[str]:
    """The arguments that no record may show: spoken ones, and those that hold a private value."""
    private = set(entry.spoken)
    for name, bound in use.bind.items():
        if isinstance(bound, str):
            expression = call.conditions.of(bound)
            if any(call.is_private(read) for read in expression.names):
                private.add(name)
    for name, value in args.items():
        text = str(value)
        if any(secret in text for secret in call.state.private):
            private.add(name)
    return frozenset(private & set(args))
