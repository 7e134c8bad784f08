"""The flat documents: Do-Not-Call lists, spend caps, exceptions."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.malformed import Malformed
from trunkline_runtime.policy.read_rule import read_date, read_head, unique_ids
from trunkline_runtime.policy.rule import DoNotCallList, SpendCap, Waiver

# An exception that runs for longer is a rule change in disguise.
WAIVER_HORIZON = timedelta(days=180)

_WAIVER_PARTS = ("reason", "owner", "approver", "created", "expires")
_AGE_UNITS = {"d": "days", "h": "hours"}


def read_lists(document: Mapping[str, Any]) -> tuple[DoNotCallList, ...]:
    """What `dnc.yaml` says. A list without digest, date or age limit is kept: it denies."""
    written = document["lists"]
    unique_ids(written)
    return tuple(_list(one) for one in written)


def read_caps(document: Mapping[str, Any]) -> tuple[SpendCap, ...]:
    """What `spend.yaml` says. Raises Malformed."""
    written = document["caps"]
    unique_ids(written)
    return tuple(read_cap(one) for one in written)


def read_cap(written: Mapping[str, Any]) -> SpendCap:
    """One cap, the platform's or a tenant's."""
    return SpendCap(
        **read_head(written),
        per=written["per"],
        micros=written["limit"]["micros"],
        currency=written["limit"]["currency"],
        tenant=written.get("tenant"),
        flow=written.get("flow"),
        tool=written.get("tool"),
    )


def read_waivers(document: Mapping[str, Any]) -> tuple[Waiver, ...]:
    """The exceptions that can count: complete, and for at most 180 days.

    An incomplete one is a finding of the compiler (TL503) and waives nothing here.
    """
    return tuple(
        read_waiver(one)
        for one in document["exceptions"]
        if not missing_parts(one) and read_waiver(one).lasts <= WAIVER_HORIZON
    )


def missing_parts(written: Mapping[str, Any]) -> tuple[str, ...]:
    """What an exception must say and does not."""
    return tuple(key for key in _WAIVER_PARTS if not str(written.get(key, "")).strip())


def read_waiver(written: Mapping[str, Any]) -> Waiver:
    """One exception that has all its parts. Raises Malformed for a date that no calendar has."""
    target = written["target"]
    return Waiver(
        rule=written["rule"],
        tenant=target["tenant"],
        flow=target.get("flow"),
        node=target.get("node"),
        tool=target.get("tool"),
        created=read_date(written["created"], date.max),
        expires=read_date(written["expires"], date.min),
    )


def _list(written: Mapping[str, Any]) -> DoNotCallList:
    obtained, age = written.get("obtained_at"), written.get("max_age")
    try:
        obtained_at = None if obtained is None else instant(obtained)
    except ValueError as error:
        raise Malformed(f"{written['id']}: {error}") from None
    return DoNotCallList(
        **read_head(written),
        uri=written["uri"],
        sha256=written.get("sha256"),
        obtained_at=obtained_at,
        max_age=None if age is None else timedelta(**{_AGE_UNITS[age[-1]]: int(age[:-1])}),
    )
