"""Lines of the record of decisions, and of that of calls, as a person reads them."""

from collections.abc import Mapping
from typing import Any


def line_of_record(record: Mapping[str, Any]) -> str:
    """One line of the record for a person; numbers are in it as tokens only."""
    if "kind" not in record and "call_id" in record:
        return _line_of_call(record)
    what = _what(record)
    answer = record.get("decision") if record.get("kind") in ("tool", "dial") else ""
    reasons = ", ".join(
        f"{reason['kind']}: {reason['rule']}" for reason in record.get("reasons") or ()
    )
    parts = (
        str(record.get("at", "")),
        str(record.get("kind", "")),
        str(what),
        str(answer or record.get("ending", "")),
        reasons,
        f"call {record['call']}" if record.get("call") else "",
        f"id {record['id']}" if record.get("id") else "",
    )
    return "  ".join(part for part in parts if part)


def _line_of_call(record: Mapping[str, Any]) -> str:
    """A line of the record of calls: its opt-out and contact are `yes` or `no` there."""
    flow = "/".join(str(record[name]) for name in ("tenant", "flow") if record.get(name))
    refused = record.get("refused_job")
    parts = (
        str(record.get("started") or record.get("at") or ""),
        "call",
        flow,
        f"refused: {refused}" if refused else str(record.get("outcome") or "no outcome"),
        f"call {record['call_id']}",
    )
    return "  ".join(part for part in parts if part)


def _what(record: Mapping[str, Any]) -> str:
    """What a line is about, in a word or two."""
    kind = record.get("kind")
    if kind == "kill_switch":
        named = {name: record.get(name) for name in ("tenant", "flow", "tool")}
        scope = " ".join(f"{name}={value}" for name, value in named.items() if value)
        # What a person typed stays on this line.
        by = " ".join(f"by {record.get('by')}: {record.get('reason')}".split())
        return f"{record.get('change')} {record.get('switch')}  {scope or 'everything'}  {by}"
    if kind == "damage":
        return f"{record.get('file')} line {record.get('line')}: {record.get('message')}"
    if kind == "torn":
        return f"{record.get('bytes')} bytes of a line that a crash tore were cut off"
    if kind == "opt_out":
        return f"{record.get('scope')}, from {record.get('source')}"
    if kind in ("settled", "expired"):
        # What a line about money says; a settlement that changed nothing counted nothing.
        return _money(record) + ("" if record.get("counted", True) else "  (counted before)")
    return str(record.get("tool") or record.get("contact") or "")


def _money(record: Mapping[str, Any]) -> str:
    tool = f"{record['tool']}  " if record.get("tool") else ""
    cost = record.get("cost") or {}
    micros = record.get("micros", cost.get("micros"))
    amount = "" if micros is None else f"{micros} micro-units {cost.get('currency', '')}"
    return f"{tool}decision {record.get('decision')}  {amount}".rstrip()


def details_of_record(record: Mapping[str, Any]) -> str:
    """Everything about one decision: its rules, where it might have rung, and what decided."""
    lines = [f"  against it: {reason['message']}" for reason in record.get("reasons") or ()]
    for name in ("rules", "zones", "next_allowed", "policy", "tzdata", "lists", "cost", "pin"):
        value = record.get(name)
        if value:
            shown = ", ".join(map(str, value)) if isinstance(value, list) else value
            lines.append(f"  {name}: {shown}")
    return "".join(f"{line}\n" for line in lines)
