"""What a value was heard in (language, region, day), and the answer when it makes no sense."""

from dataclasses import dataclass
from datetime import date, tzinfo


class NotUnderstood(ValueError):
    """What was heard is no value of the slot's type. The message tells the model what is wrong."""


@dataclass(frozen=True)
class Hearing:
    """The circumstances that a spoken value depends on.

    `language` is a BCP 47 tag; `region` an ISO 3166 country for numbers without a country code;
    `zone` the called party's zone and `today` the day there.
    """

    language: str
    region: str
    zone: tzinfo
    today: date

    @property
    def english(self) -> bool:
        return self.language.split("-")[0] == "en"
