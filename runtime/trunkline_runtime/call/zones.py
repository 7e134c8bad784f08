"""Where the other party's clock stands, as far as the number tells."""

from functools import lru_cache
from zoneinfo import ZoneInfo

import phonenumbers
import phonenumbers.timezone

from trunkline_runtime.policy.clock import UnknownZone, zone


@lru_cache(maxsize=4096)
def zone_of_number(number: str | None) -> ZoneInfo | None:
    """The one time zone that a number (E.164) belongs to; None if it may be in several or none.

    A region that spans zones gives None rather than a guess: an expression that reads the party's
    hour then does not hold, and the gate has its own, stricter rule for windows.
    """
    if number is None:
        return None
    try:
        parsed = phonenumbers.parse(number)
    except phonenumbers.NumberParseException:
        return None
    names = phonenumbers.timezone.time_zones_for_number(parsed)
    if len(names) != 1:
        return None
    try:
        return zone(names[0])
    except UnknownZone:
        return None  # "Etc/Unknown" and the like
