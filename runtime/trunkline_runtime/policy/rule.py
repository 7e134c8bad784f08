"""The kinds of rule that policy documents state, as frozen data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from trunkline_runtime.policy.scope import Scope
from trunkline_runtime.policy.week import Week


@dataclass(frozen=True)
class Rule:
    """What every rule says of itself. `level` is `mandatory` or `overridable`; the dates are
    those of the calendar where the rule is looked at, both included.
    """

    id: str
    level: str
    scope: Scope
    description: str = ""
    source: str = ""
    effective_from: date = date.min
    effective_until: date = date.max

    def in_force(self, day: date) -> bool:
        return self.effective_from <= day <= self.effective_until


@dataclass(frozen=True)
class Holidays:
    """Explicit dates with their names. Outside of `first` to `last` nobody knows."""

    first: date
    last: date
    names: Mapping[date, str]

    def known(self, day: date) -> bool:
        return self.first <= day <= self.last


@dataclass(frozen=True)
class Window(Rule):
    """When people may be called, at their own clock. `lifted_by` are consents that lift it."""

    week: Week = field(kw_only=True)
    holidays: tuple[Holidays, ...] = ()
    lifted_by: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Frequency(Rule):
    """At most `maximum` contacts in a rolling `span`; none for a while after a talk or a refusal.

    `per` names what is counted together: the number, the subject, or both.
    """

    maximum: int = field(kw_only=True)
    span: timedelta = field(kw_only=True)
    per: frozenset[str] = field(kw_only=True)
    rest_after_conversation: timedelta | None = None
    rest_after_refusal: timedelta | None = None


@dataclass(frozen=True)
class Consent(Rule):
    """Any one of these consents is needed before a contact."""

    any_of: frozenset[str] = field(kw_only=True)


@dataclass(frozen=True)
class Requirement(Rule):
    """Facts that a tool with this effect needs, all of them."""

    effect: str = field(kw_only=True)
    facts: frozenset[str] = field(kw_only=True)


@dataclass(frozen=True)
class Disclosure(Rule):
    """Texts that must have been spoken before the call does anything with the person's data."""

    disclosures: frozenset[str] = field(kw_only=True)
    before: str = "collect"


@dataclass(frozen=True)
class Obligation(Rule):
    """What the shape of a flow owes the person, proven when it is compiled: `kind` is `opt_out`
    (every talk node offers it) or `human` (one can be reached).
    """

    kind: str = field(kw_only=True)


@dataclass(frozen=True)
class DoNotCallList(Rule):
    """A list of numbers. A missing `sha256`, `obtained_at` or `max_age` makes it unusable."""

    uri: str = field(kw_only=True)
    sha256: str | None = None
    obtained_at: datetime | None = None
    max_age: timedelta | None = None


@dataclass(frozen=True)
class SpendCap(Rule):
    """At most `micros` millionths of `currency` in a call, day or month (`per`)."""

    per: str = field(kw_only=True)
    micros: int = field(kw_only=True)
    currency: str = field(kw_only=True)
    tenant: str | None = None
    flow: str | None = None
    tool: str | None = None


@dataclass(frozen=True)
class Purpose:
    """Why calls are made. `requires` are consents that each contact for it needs."""

    id: str
    direction: str | None
    requires: frozenset[str]
    effective_from: date = date.min


@dataclass(frozen=True)
class StandingConsent:
    """A consent that a tenant holds for everybody whom it calls for a purpose."""

    tenant: str
    purpose: str
    consents: frozenset[str]
    expires: date = date.max


@dataclass(frozen=True)
class Waiver:
    """A named exception from an overridable rule, for exactly one target."""

    rule: str
    tenant: str
    flow: str | None
    node: str | None
    tool: str | None
    created: date
    expires: date

    @property
    def lasts(self) -> timedelta:
        """From its first day to its last."""
        return self.expires - self.created
