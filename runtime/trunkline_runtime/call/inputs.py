"""The inputs that a call starts with: given by a job, a command line or a scenario."""

from collections.abc import Collection, Mapping

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.collect import hearing
from trunkline_runtime.call.collection.heard import NotUnderstood
from trunkline_runtime.call.collection.normalise import normalised
from trunkline_runtime.failure import FatalError
from trunkline_runtime.table.canonical import Json


def give_inputs(
    call: Call, given: Mapping[str, Json], slots: Collection[str] = frozenset()
) -> None:
    """Puts inputs into a call that has not begun, each as its declared type wants it.

    `slots` are those that are filled otherwise before the call begins, as a scenario does. Raises
    FatalError for an input that the flow does not have, lacks or cannot take, and for a flow that
    relies on what a link gives: only a call that is there already can come to it.
    """
    lacking = [name for name in call.table.given if name not in slots]
    if lacking:
        raise FatalError(
            f"no call begins with {call.table.flow}: it goes on from another flow, by a link that "
            f"gives it {', '.join(lacking)}"
        )
    declared = call.table.inputs
    for name in given:
        if name not in declared:
            known = ", ".join(sorted(declared)) or "none"
            raise FatalError(f"{call.table.flow} has no input {name!r}; its inputs: {known}")
    for name, slot in declared.items():
        if name not in given:
            if slot.optional:
                continue
            raise FatalError(
                f"{call.table.flow} needs the input {name}: {slot.description or name}"
            )
        try:
            call.state.inputs[name] = normalised(slot, given[name], hearing(call), slot.choices)
        except NotUnderstood as error:
            raise FatalError(f"the input {name}: {error}") from None
        call.keep_private(name, call.state.inputs[name])
