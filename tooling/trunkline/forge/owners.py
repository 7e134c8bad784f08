"""Code owners: who must review what, made from the tenants and `.github/owners.yaml`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from trunkline.failure import FatalError

OWNERS_FILE = Path(".github", "owners.yaml")
CODEOWNERS_FILE = Path(".github", "CODEOWNERS")

# A user, a team or an address: https://docs.github.com/articles/about-code-owners
_OWNER = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9._-]+)?|[^\s@#]+@[^\s@#]+\.[^\s@#]+")
_TENANT = re.compile(r"[a-z0-9][a-z0-9-]*")
_SAMPLE = (
    'write there, for example, platform: "@your-org/platform", '
    'compliance: "@your-org/compliance" and tenant: "@your-org/{tenant}"'
)


@dataclass(frozen=True)
class Owners:
    """Who owns what. `tenant` is the owner of a tenant's flows, with `{tenant}` for its id."""

    platform: str
    compliance: str
    tenant: str
    tenants: Mapping[str, str]

    def of(self, tenant: str) -> str:
        """The owner of one tenant's flows."""
        return self.tenants.get(tenant, self.tenant.replace("{tenant}", tenant))


def read_owners(root: Path) -> Owners:
    """The owners that the repository at `root` names. Raises FatalError where it names none."""
    try:
        found = yaml.safe_load((root / OWNERS_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FatalError(f"there is no {OWNERS_FILE}: {_SAMPLE}") from None
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        reason = " ".join(str(error).split())
        raise FatalError(f"{OWNERS_FILE} can't be read: {reason}") from None
    if not isinstance(found, dict):
        raise FatalError(f"{OWNERS_FILE} is no mapping: {_SAMPLE}")
    unknown = sorted(str(key) for key in found if key not in Owners.__dataclass_fields__)
    if unknown:
        raise FatalError(
            f"{OWNERS_FILE} has the unknown key {unknown[0]}; it has platform, compliance, "
            "tenant and tenants"
        )
    own = found.get("tenants") or {}
    if not isinstance(own, dict):
        raise FatalError(f"{OWNERS_FILE}: tenants maps a tenant's id to its owner")
    platform, compliance, tenant = (
        _owner(key, found.get(key)) for key in ("platform", "compliance", "tenant")
    )
    tenants = {str(id): _owner(f"tenants.{id}", owner) for id, owner in own.items()}
    return Owners(platform, compliance, tenant, tenants)


def tenants_of(root: Path) -> tuple[str, ...]:
    """The tenants of a repository, sorted: the folders of `flows/` that hold a tenant file."""
    found = (path.parent.name for path in (root / "flows").glob("*/tenant.yaml"))
    return tuple(sorted(name for name in found if _TENANT.fullmatch(name)))


def codeowners(owners: Owners, tenants: Sequence[str]) -> str:
    """The text of CODEOWNERS. Of the lines that match a path the last one counts."""
    strangers = sorted(set(owners.tenants) - set(tenants))
    if strangers:
        raise FatalError(
            f"{OWNERS_FILE} names an owner for {strangers[0]}, and there is no tenant of that name"
        )
    rows = [
        ("*", owners.platform),
        ("/flows/", owners.platform),
        *((f"/flows/{tenant}/", owners.of(tenant)) for tenant in sorted(tenants)),
        ("/flows/shared/", owners.platform),
        ("/catalog/", owners.compliance),
        ("/policy/", owners.compliance),
        ("/schemas/", owners.platform),
        ("/tooling/", owners.platform),
        ("/runtime/", owners.platform),
        # What judges a pull request is no tenant's; who must review one is compliance's to say.
        ("/.github/", owners.platform),
        (f"/{OWNERS_FILE.as_posix()}", owners.compliance),
        (f"/{CODEOWNERS_FILE.as_posix()}", owners.compliance),
    ]
    width = max(len(pattern) for pattern, _ in rows)
    head = f"# Made by `trunkline codeowners` from {OWNERS_FILE.as_posix()} and the tenants."
    return "\n".join([head, *(f"{pattern:{width}} {owner}" for pattern, owner in rows), ""])


def _owner(key: str, value: object) -> str:
    if value is None:
        raise FatalError(f"{OWNERS_FILE} names no {key}: {_SAMPLE}")
    if not isinstance(value, str) or not all(
        _OWNER.fullmatch(part.replace("{tenant}", "tenant")) for part in value.split() or [value]
    ):
        raise FatalError(
            f"{OWNERS_FILE}: {key} is no owner that GitHub knows; "
            'write "@user", "@org/team" or an e-mail address, in quotes'
        )
    return " ".join(value.split())
