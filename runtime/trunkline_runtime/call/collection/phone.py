"""Telephone numbers: spoken or written, to E.164."""

import phonenumbers

from trunkline_runtime.call.collection.digits import spoken_digits
from trunkline_runtime.call.collection.heard import Hearing, NotUnderstood
from trunkline_runtime.table.canonical import Json


def phone_number(raw: Json, hearing: Hearing) -> str:
    """E.164, by the rules of the region where no country code was said. Raises NotUnderstood."""
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise NotUnderstood("it must be a telephone number")
    text = str(raw).strip()
    try:
        number = phonenumbers.parse(spoken_digits(text, hearing.language) or text, hearing.region)
    except phonenumbers.NumberParseException:
        raise NotUnderstood("it is not a telephone number") from None
    if number.extension:
        # E.164 has no place for it, and the number without it reaches somebody else.
        raise NotUnderstood("an extension cannot be kept: ask for a number without one")
    if not phonenumbers.is_possible_number(number):
        raise NotUnderstood("digits are missing, or there are too many")
    if not phonenumbers.is_valid_number(number):
        raise NotUnderstood("no such telephone number can exist")
    e164: str = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)
    return e164
