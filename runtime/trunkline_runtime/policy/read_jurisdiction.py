"""A jurisdiction's document: windows, holidays, frequency caps, consents, what is unset."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from trunkline_runtime.policy.clock import UnknownZone, zone
from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.read_rule import read_date, read_head, unique_ids
from trunkline_runtime.policy.rule import Consent, Frequency, Holidays, Window
from trunkline_runtime.policy.rules import Jurisdiction, Unset
from trunkline_runtime.policy.week import Week


def read_jurisdiction(path: str, document: Mapping[str, Any]) -> Jurisdiction:
    """The rules of one country. The document fits its schema. Raises Malformed."""
    country = document["region"]
    windows = document.get("windows", [])
    frequency = document.get("frequency", [])
    consent = document.get("consent", [])
    unique_ids([*windows, *frequency, *consent])
    calendars = {
        name: _holidays(name, written) for name, written in document.get("holidays", {}).items()
    }
    return Jurisdiction(
        country=country,
        name=document["name"],
        path=path,
        zones=frozenset(_zone(name) for name in document.get("zones", [])),
        windows=tuple(read_window(written, calendars, country) for written in windows),
        frequency=tuple(read_frequency(written, country) for written in frequency),
        consent=tuple(
            Consent(**read_head(written, country), any_of=frozenset(written["any_of"]))
            for written in consent
        ),
        unset=tuple(
            Unset(written.get("region", country), written["what"], written["reason"])
            for written in document.get("unset", [])
        ),
    )


def read_window(
    written: Mapping[str, Any], calendars: Mapping[str, Holidays], country: str | None
) -> Window:
    """One window. Raises Malformed for hours or holidays that cannot be understood."""
    names = written.get("holidays", [])
    for name in names:
        if name not in calendars:
            raise Malformed(f"{written['id']}: there is no list of holidays {name!r}")
    try:
        week = Week.from_document(written["hours"])
    except Malformed as error:
        raise Malformed(f"{written['id']}: {error}") from None
    return Window(
        **read_head(written, country),
        week=week,
        holidays=tuple(calendars[name] for name in names),
        lifted_by=frozenset(written.get("lifted_by", [])),
    )


def read_frequency(written: Mapping[str, Any], country: str | None) -> Frequency:
    """One cap. Raises Malformed unless it counts in hours or in days, and in one of them only."""
    hours, days = written.get("hours"), written.get("days")
    if (hours is None) == (days is None):
        raise Malformed(f"{written['id']}: write hours or days, one of the two")
    return Frequency(
        **read_head(written, country),
        maximum=written["max"],
        span=timedelta(hours=hours) if hours is not None else timedelta(days=days or 0),
        per=frozenset(written["per"]),
        rest_after_conversation=_days(written.get("rest_after_conversation_days")),
        rest_after_refusal=_days(written.get("rest_after_refusal_days")),
    )


def _days(count: int | None) -> timedelta | None:
    return None if count is None else timedelta(days=count)


def _holidays(name: str, written: Mapping[str, Any]) -> Holidays:
    first = read_date(written["from"], date.min)
    last = read_date(written["until"], date.max)
    names = {read_date(day["date"], date.min): day["name"] for day in written["days"]}
    if last < first or any(not first <= day <= last for day in names):
        raise Malformed(f"holidays {name}: a day lies outside of `from` to `until`")
    return Holidays(first, last, names)


def _zone(name: str) -> str:
    try:
        zone(name)
    except UnknownZone:
        raise Malformed(f"there is no time zone {name!r}") from None
    return name
