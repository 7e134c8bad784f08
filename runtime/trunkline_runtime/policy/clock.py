"""Local time from UTC, on the time-zone data that this package pins."""

import re
import zoneinfo
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import version
from zoneinfo import ZoneInfo

# The machine's own data may be years old; the package `tzdata` is pinned with the rest. Zones that
# were loaded before this line would keep the machine's data, so they are forgotten.
zoneinfo.reset_tzpath(to=[])
ZoneInfo.clear_cache()

TZDATA_VERSION = version("tzdata")

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)")
_LONGEST_ZONE = 64  # America/Argentina/ComodRivadavia has half of that


class UnknownZone(LookupError):
    """A time zone that the pinned data does not hold."""


@lru_cache(maxsize=1024)
def zone(name: str) -> ZoneInfo:
    """The zone of an IANA name. Raises UnknownZone."""
    if len(name) > _LONGEST_ZONE:  # a name of a thousand folders is looked for in each of them
        raise UnknownZone(name)
    try:
        return ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise UnknownZone(name) from None


def instant(text: str) -> datetime:
    """An instant in UTC from RFC 3339 text that says its offset. Raises ValueError."""
    if not _INSTANT.fullmatch(text):
        raise ValueError(f"{text!r} is not an instant; write it as 2026-12-01T15:00:00Z")
    return datetime.fromisoformat(text).astimezone(UTC)


def instant_text(at: datetime) -> str:
    """RFC 3339 in UTC, with parts of a second only where there are any."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
