"""All that the policy says, ready to be judged by: the platform's rules and then a tenant's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from trunkline_runtime.policy.rule import (
    Consent,
    Disclosure,
    DoNotCallList,
    Frequency,
    Obligation,
    Purpose,
    Requirement,
    Rule,
    SpendCap,
    StandingConsent,
    Waiver,
    Window,
)


@dataclass(frozen=True)
class Unset:
    """Something that a jurisdiction leaves unset on purpose."""

    region: str
    what: str
    reason: str


@dataclass(frozen=True)
class Jurisdiction:
    """The rules of one country. `zones` is empty where area codes tell the zone."""

    country: str
    name: str
    path: str
    zones: frozenset[str]
    windows: tuple[Window, ...]
    frequency: tuple[Frequency, ...]
    consent: tuple[Consent, ...]
    unset: tuple[Unset, ...]


@dataclass(frozen=True)
class Rules:
    """A policy as data. A document that is missing is None here; one that could not be read is in
    `unreadable` (document → why) as well. Whatever needs such a document is denied.

    `grants` maps a tenant to its purposes. The fields from `windows` on hold the tenant's layer:
    rules beside the platform's, which can therefore only tighten.
    """

    requirements: tuple[Requirement, ...] | None = None
    disclosures: tuple[Disclosure, ...] | None = None
    obligations: tuple[Obligation, ...] | None = None
    purposes: Mapping[str, Purpose] | None = None
    grants: Mapping[str, frozenset[str]] = field(default_factory=dict)
    standing_consents: tuple[StandingConsent, ...] = ()
    jurisdictions: Mapping[str, Jurisdiction] = field(default_factory=dict)
    lists: tuple[DoNotCallList, ...] | None = None
    caps: tuple[SpendCap, ...] | None = None
    waivers: tuple[Waiver, ...] = ()
    unreadable: Mapping[str, str] = field(default_factory=dict)
    windows: tuple[Window, ...] = ()
    frequency: tuple[Frequency, ...] = ()
    tenant_requirements: tuple[Requirement, ...] = ()
    tenant_caps: tuple[SpendCap, ...] = ()
    tenant_fault: str | None = None

    def of_platform(self) -> Iterator[Rule]:
        """Every rule of the platform that has an id and a level."""
        yield from self.requirements or ()
        yield from self.disclosures or ()
        yield from self.obligations or ()
        yield from self.lists or ()
        yield from self.caps or ()
        for jurisdiction in self.jurisdictions.values():
            yield from jurisdiction.windows
            yield from jurisdiction.frequency
            yield from jurisdiction.consent
