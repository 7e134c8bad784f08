"""Kill switches: what is stopped at once, for a tenant, a flow or a tool, and by whom."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, String, bindparam, or_, select, update

from trunkline_runtime.gate.ledger.connection import insert_if_absent
from trunkline_runtime.gate.ledger.instants import from_micros, to_micros
from trunkline_runtime.gate.ledger.tables import kill_switches


@dataclass(frozen=True)
class KillSwitch:
    """Stops what it names: None in `tenant`, `flow` or `tool` means each of them."""

    id: str
    tenant: str | None
    flow: str | None
    tool: str | None
    reason: str
    by: str
    at: datetime


_ON = (
    select(kill_switches)
    .where(kill_switches.c.lifted_at.is_(None))
    .order_by(kill_switches.c.at, kill_switches.c.id)
)
# Built once. A null in the question (a dial has no tool) equals nothing in SQL.
_STOPPING = _ON.where(
    *(
        or_(column.is_(None), column == bindparam(column.name, type_=String))
        for column in (kill_switches.c.tenant, kill_switches.c.flow, kill_switches.c.tool)
    )
)


def switches_for(
    connection: Connection, tenant: str, flow: str | None, tool: str | None
) -> tuple[KillSwitch, ...]:
    """The switches that are on and stop this. One for a tool alone stops no dial."""
    return _found(connection, _STOPPING, tenant=tenant, flow=flow, tool=tool)


def all_switches(connection: Connection) -> tuple[KillSwitch, ...]:
    """Every switch that is on, oldest first."""
    return _found(connection, _ON)


def turn_on(connection: Connection, switch: KillSwitch) -> None:
    """Adds a switch; one of the same id stays as it is."""
    insert_if_absent(
        connection,
        kill_switches,
        {
            "id": switch.id,
            "tenant": switch.tenant,
            "flow": switch.flow,
            "tool": switch.tool,
            "reason": switch.reason,
            "by": switch.by,
            "at": to_micros(switch.at),
        },
    )


def lift(connection: Connection, id: str, by: str, now: datetime) -> bool:
    """Turns a switch off; False if there is none that is on."""
    result = connection.execute(
        update(kill_switches)
        .where(kill_switches.c.id == id, kill_switches.c.lifted_at.is_(None))
        .values(lifted_by=by, lifted_at=to_micros(now))
    )
    return result.rowcount == 1


def _found(
    connection: Connection, query: Select[Any], **values: str | None
) -> tuple[KillSwitch, ...]:
    return tuple(
        KillSwitch(row.id, row.tenant, row.flow, row.tool, row.reason, row.by, from_micros(row.at))
        for row in connection.execute(query, values)
    )
