"""Names of slots, inputs and other data of a call: in lists, in texts and in a transfer."""

from collections.abc import Iterator

from trunkline.checks.at import error_at, misspelt
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.scope import Scope
from trunkline.model.place import Place
from trunkline.model.slot_names import slot_names
from trunkline.model.template import Field, fields
from trunkline.model.texts import texts
from trunkline.nearest import did_you_mean
from trunkline_runtime.expression import call_names

CODE = "TL103"
_CALL = frozenset(name.removeprefix("call.") for name in call_names())
_ROOTS = ("slots", "inputs", "params", "tenant", "call")


def names_of_data(analysis: Analysis, scope: Scope) -> Iterator[Finding]:
    """Data that a file of the flow names and the flow, or its tenant, does not have."""
    slots = analysis.inlined.whole.slots
    for slot, place in slot_names(scope.flow):
        if slot not in slots:
            message = f"`{slot}` is not a slot of this flow"
            found = error_at(CODE, place, message, _declare(slot, analysis))
            # In `requires` and in the number of a transfer the slot is named in full.
            prefix = "slots." if {"requires", "by"} & set(place.keys) else ""
            yield misspelt(found, slot, slots, prefix)
    for text, place in texts(scope.flow):
        for field in fields(text):
            yield from names_of_field(analysis, field, place)


def names_of_field(analysis: Analysis, field: Field, place: Place) -> Iterator[Finding]:
    """The name in one `{{ … }}`, if it is nothing that can be spoken in this flow."""
    if not field.is_name or field.parts[0] not in _ROOTS:
        shown = field.name if field.name in ("{{", "}}") else f"{{{{ {field.name} }}}}"
        message = f"`{shown}` is not a name that can be spoken"
        help = (
            "Write {{ slots.x }}, {{ inputs.x }}, {{ params.x }}, {{ tenant.display_name }}, "
            "{{ tenant.vars.x }} or {{ call.x }}; there are no expressions in spoken words."
        )
        yield error_at(CODE, place, message, help)
        return
    root, name = field.parts[0], ".".join(field.parts[1:])
    whole = analysis.inlined.whole
    if root == "slots" and name not in whole.slots:
        message = f"`{field.name}` is not a slot of this flow"
        yield error_at(CODE, place, message, _declare(name, analysis))
    elif root == "inputs" and name not in whole.inputs:
        message = f"`{field.name}` is not an input of this flow"
        yield error_at(CODE, place, message, did_you_mean(name, whole.inputs))
    elif root == "call" and name not in _CALL:
        message = f"`{field.name}` is nothing that is known of a call"
        yield error_at(CODE, place, message, did_you_mean(name, _CALL))
    elif root == "tenant":
        yield from _tenant(analysis, field, name, place)


def _tenant(analysis: Analysis, field: Field, name: str, place: Place) -> Iterator[Finding]:
    tenant = analysis.tenant
    if tenant is None or name == "display_name":
        return
    group, _, variable = name.partition(".")
    if group != "vars" or not variable:
        message = f"`{field.name}` is nothing that a flow may say of its tenant"
        help = "There are {{ tenant.display_name }} and {{ tenant.vars.x }}."
        yield error_at(CODE, place, message, help)
    elif variable not in tenant.vars:
        message = f"the tenant {tenant.id} has no variable `{variable}`"
        nearest = did_you_mean(variable, tenant.vars)
        help = nearest or f"Add `{variable}` under `vars` in flows/{tenant.id}/tenant.yaml."
        yield error_at(CODE, place, message, help)


def _declare(slot: str, analysis: Analysis) -> str:
    nearest = did_you_mean(slot, analysis.inlined.whole.slots)
    return nearest or f"Declare `{slot}` under `slots`."
