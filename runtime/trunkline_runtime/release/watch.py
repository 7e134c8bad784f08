"""Who wants to know what a follower does: metrics, in a worker; nobody, in a test."""

from datetime import datetime
from typing import Protocol


class Watch(Protocol):
    """Told of every poll. `name` is a tenant or `_policy`."""

    def polled(self, name: str, now: datetime) -> None:
        """The store was asked, and what it holds is what is current here."""

    def unavailable(self, name: str) -> None:
        """The store could not be read, or the disk not written."""

    def refused(self, name: str) -> None:
        """The store offers what must not be used; what was current still is."""

    def swapped(self, name: str, seconds: float) -> None:
        """Something newer is current, so many seconds after it was seen."""

    def expires(self, name: str, channel: str, when: datetime) -> None:
        """A channel of the store lasts until then unless it is renewed."""


class Nobody:
    """Is told, and does nothing."""

    def polled(self, name: str, now: datetime) -> None:
        """See Watch."""

    def unavailable(self, name: str) -> None:
        """See Watch."""

    def refused(self, name: str) -> None:
        """See Watch."""

    def swapped(self, name: str, seconds: float) -> None:
        """See Watch."""

    def expires(self, name: str, channel: str, when: datetime) -> None:
        """See Watch."""
