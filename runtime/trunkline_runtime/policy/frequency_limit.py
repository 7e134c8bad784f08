"""A frequency cap over one history: rolling spans, and the rest after a talk or a refusal."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trunkline_runtime.policy.question import Contact
from trunkline_runtime.policy.rule import Frequency


@dataclass(frozen=True)
class FrequencyLimit:
    """`rule` applied to the contacts that it counts. All instants are UTC: days are 24 hours."""

    rule: Frequency
    counted: tuple[Contact, ...]

    @classmethod
    def over(
        cls, rule: Frequency, history: Sequence[Contact], subject: str | None
    ) -> "FrequencyLimit":
        """The contacts with one number that count together with a new one about `subject`.

        Where the rule counts by subject and either subject is unknown the contact counts: more is
        counted, never less.
        """
        by_subject = "subject" in rule.per and subject is not None
        return cls(
            rule,
            tuple(
                contact
                for contact in history
                if not by_subject or contact.subject in (None, subject)
            ),
        )

    def closed_because(self, at: datetime) -> str | None:
        """Why there may be no contact, or None."""
        count = sum(1 for expiry in self._expiries() if expiry > at)
        if count >= self.rule.maximum:
            return f"{count} of at most {self.rule.maximum} contacts were made in {self._span()}"
        if any(rest > at for rest in self._rests()):
            return "the rest after the last conversation or refusal is not over"
        return None

    def next_open(self, at: datetime) -> datetime | None:
        held = sorted(expiry for expiry in self._expiries() if expiry > at)
        excess = len(held) - self.rule.maximum
        until = [rest for rest in self._rests() if rest > at]
        if excess >= 0:
            until.append(held[excess])
        return max([at, *until])

    def _expiries(self) -> list[datetime]:
        return [
            contact.at + self.rule.span for contact in self.counted if contact.kind == "attempt"
        ]

    def _rests(self) -> list[datetime]:
        # Whoever refused was spoken with.
        rests = {
            "conversation": [self.rule.rest_after_conversation],
            "refusal": [self.rule.rest_after_conversation, self.rule.rest_after_refusal],
        }
        return [
            contact.at + rest
            for contact in self.counted
            for rest in rests.get(contact.kind, [])
            if rest is not None
        ]

    def _span(self) -> str:
        hours = int(self.rule.span.total_seconds() // 3600)
        return f"{hours // 24} days" if hours % 24 == 0 and hours > 24 else f"{hours} hours"
