"""What an expression sees: the values of a call at this moment, by qualified name."""

from collections.abc import Mapping

from trunkline_runtime.call.clock import Clock
from trunkline_runtime.call.conditions import Conditions
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.zones import zone_of_number
from trunkline_runtime.policy.clock import zone
from trunkline_runtime.policy.week import Week
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.settings import TenantSettings


def values_now(
    state: CallState,
    table: NodeTable,
    settings: TenantSettings,
    conditions: Conditions,
    clock: Clock,
) -> dict[str, Json]:
    """Qualified name → value. What is unset is missing; a fact or a failure is true or false."""
    values: dict[str, Json] = {f"slots.{name}": slot.value for name, slot in state.slots.items()}
    values.update({f"inputs.{name}": value for name, value in state.inputs.items()})
    values.update({f"facts.{name}": name in state.facts for name in conditions.facts})
    values.update({f"failed.{tool}": tool in state.visit.failed for tool in table.tools})
    values.update(call_values(state, settings, clock))
    return values


def call_values(state: CallState, settings: TenantSettings, clock: Clock) -> dict[str, Json]:
    """What stands under `call.`. An outcome that is not decided, or an hour that the number does
    not tell, is missing."""
    now = clock.now()
    local = now.astimezone(zone(settings.timezone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    open_week = Week.from_document(settings.hours)
    values: dict[str, Json] = {
        "call.direction": state.direction,
        "call.language": state.language,
        "call.visits": state.visits.get(f"{state.flow}/{state.node}", 0),
        "call.minutes": minutes(state, clock),
        "call.tenant_hour": local.hour,
        "call.tenant_open": open_week.is_open(
            local.weekday(),
            (local.replace(tzinfo=None) - midnight.replace(tzinfo=None)).total_seconds(),
        ),
    }
    party_zone = zone_of_number(state.party)
    if party_zone is not None:
        values["call.party_hour"] = now.astimezone(party_zone).hour
    if state.outcome is not None:
        values["call.outcome"] = state.outcome
    if state.answered_by is not None:
        values["call.answered_by"] = state.answered_by
    return values


def minutes(state: CallState, clock: Clock) -> int:
    """Whole minutes since the call began."""
    return int((clock.now() - state.started).total_seconds() // 60)


def flatten(prefix: str, value: Json) -> dict[str, Json]:
    """An object's leaves by qualified name (`args.amount`), and the objects and lists themselves.

    Expressions over a schema name its leaves; one over an open object names the object.
    """
    flat: dict[str, Json] = {prefix: value}
    if isinstance(value, Mapping):
        for name, inner in value.items():
            flat.update(flatten(f"{prefix}.{name}", inner))
    return flat
