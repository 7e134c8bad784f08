"""Everything that ran out or drifted apart, gathered for the nightly page."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trunkline.compile import compile_repository
from trunkline.forge.drift import Drift, drift
from trunkline.forge.expiry import Notice, exceptions, lists
from trunkline.release.store import Store

# A release that is not announced in git yet is made good by the next publish.
_CAN_WAIT = frozenset({"untagged"})


def notices(root: Path, store: Store | None, now: datetime) -> tuple[Notice, ...]:
    """What is to be told of the repository at `root` at the time `now`.

    Without a store nothing is said of what is released. Raises FatalError for what is no store.
    """
    compiled = compile_repository(root, now.astimezone(UTC).date())
    errors = sum(finding.severity == "error" for finding in compiled.findings)
    if errors:
        # An exception that ended, or a document that took effect, judges anew what was merged.
        said = f"{errors} finding{'s' if errors > 1 else ''}: `trunkline check` lists them"
        first: tuple[Notice, ...] = (Notice("check", True, said),)
    else:
        first = ()
    drifted = () if store is None or errors else drift(root, store, compiled)
    return (
        *first,
        *exceptions(compiled.policy, now),
        *lists(compiled.policy, now),
        *(() if store is None or errors else _spent(compiled.policy, drifted)),
        *(Notice("drift", one.kind not in _CAN_WAIT, one.message) for one in drifted),
    )


def _spent(policy: Mapping[str, Mapping[str, Any]], drifted: tuple[Drift, ...]) -> Iterator[Notice]:
    """Acceptances of changes that are released. Left there, each accepts the same change again."""
    if any(one.kind == "unreleased" for one in drifted):
        return  # they may be among what is still to be released
    for entry in policy.get("accepted.yaml", {}).get("accepted", ()):
        said = f"{entry['fingerprint']} ({entry['approver']}) is released"
        yield Notice("acceptance", False, f"{said}: take it out of policy/accepted.yaml")
