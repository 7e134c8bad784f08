"""The rules that hold now: from the newest verified policy and the tenant's own settings."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from trunkline_runtime.policy.documents import rules_from
from trunkline_runtime.policy.layers import with_tenant
from trunkline_runtime.policy.rules import Rules
from trunkline_runtime.table.canonical import Json, canonical_bytes, digest
from trunkline_runtime.table.settings import TenantSettings


class Snapshot(Protocol):
    """The newest verified policy: `documents` by their path under `policy/`."""

    @property
    def digest(self) -> str: ...
    @property
    def sequence(self) -> int: ...
    @property
    def documents(self) -> Mapping[str, Json]: ...


# Both raise if there is nothing that can be trusted; the gate then denies.
PolicyOfTheMoment = Callable[[], Snapshot]
TenantOfTheMoment = Callable[[str], TenantSettings]


@dataclass(frozen=True)
class Standing:
    """The rules for one tenant, with the digest and sequence of the policy they come from."""

    rules: Rules
    timezone: str
    digest: str
    sequence: int


class StandingRules:
    """Reads each policy once. Safe for threads: the worst is that one is read twice."""

    def __init__(self, policy: PolicyOfTheMoment, tenant: TenantOfTheMoment) -> None:
        self._policy = policy
        self._tenant = tenant
        self._lock = threading.Lock()
        self._platform: tuple[str, Rules] | None = None
        self._layered: dict[tuple[str, str], Rules] = {}
        self._digests: dict[str, tuple[Mapping[str, Json], str]] = {}

    def of(self, tenant: str) -> Standing:
        """What holds for a tenant at this moment. Raises whatever the two callables raise."""
        snapshot = self._policy()
        settings = self._tenant(tenant)
        if settings.id != tenant:
            raise ValueError(f"these are the settings of another tenant than {tenant}")
        layer = (tenant, self._digest(tenant, settings.policy))
        with self._lock:
            if self._platform is None or self._platform[0] != snapshot.digest:
                # Documents are named by their digest: the same one is never read twice.
                self._platform = snapshot.digest, rules_from(snapshot.documents)
                self._layered = {}
            if layer not in self._layered:
                self._layered[layer] = with_tenant(self._platform[1], tenant, settings.policy)
            rules = self._layered[layer]
        return Standing(rules, settings.timezone, snapshot.digest, snapshot.sequence)

    def _digest(self, tenant: str, policy: Mapping[str, Json]) -> str:
        known = self._digests.get(tenant)
        # Settings are never changed in place: the same object says the same.
        if known is None or known[0] is not policy:
            known = self._digests[tenant] = policy, digest(canonical_bytes(policy))
        return known[1]
