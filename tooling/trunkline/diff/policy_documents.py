"""The policy's documents in two revisions, each compared as what it is."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from trunkline.diff.change import Cause, Edit
from trunkline.diff.exceptions import exception_edits
from trunkline.diff.jurisdictions import jurisdiction_edits
from trunkline.diff.phrases import ticked
from trunkline.diff.policies import rule_edits
from trunkline.diff.purposes import purpose_edits
from trunkline.diff.reached import Reached, reached
from trunkline.diff.snapshot import Snapshot
from trunkline.diff.spoken import disclosure_text_edits

_POLICY = "policy/"
# Tests of the policy decide no call; what is accepted is compared with the changes it accepts.
_SILENT = (f"{_POLICY}tests/", f"{_POLICY}accepted.yaml")
_JURISDICTIONS = f"{_POLICY}jurisdictions/"
_RULES = ("requirements", "obligations", "spend", "dnc")
_NOTHING: Mapping[str, Any] = {}


def policy_edits(base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    """The differences between all policy documents."""
    paths = [path for path in base.documents.keys() | head.documents.keys() if _speaks(path)]
    for path in sorted(paths):
        old, new = base.document(path), head.document(path)
        if old == new:
            continue
        reach = reached(path, base, head)
        if path.startswith(_JURISDICTIONS):
            yield from jurisdiction_edits(old, new, reach)
        elif not old or not new:
            yield _whole(path, bool(new), reach)
        else:
            yield from _inside(PurePosixPath(path).stem, old, new, reach)


def _speaks(path: str) -> bool:
    return path.startswith(_POLICY) and not path.startswith(_SILENT)


def _inside(
    stem: str, old: Mapping[str, Any], new: Mapping[str, Any], reach: Reached
) -> Iterator[Edit]:
    if stem in _RULES:
        yield from rule_edits(old, new, reach)
    elif stem == "purposes":
        yield from purpose_edits(old, new, reach)
    elif stem == "disclosures":
        texts = old.get("disclosures", _NOTHING), new.get("disclosures", _NOTHING)
        yield from disclosure_text_edits(*texts, reach)
    elif stem == "exceptions":
        yield from exception_edits(old.get("exceptions", ()), new.get("exceptions", ()), reach)
    else:
        message = f"{ticked(reach.path)} is changed; what it decides is not known here"
        yield Edit(
            "document-changed",
            message,
            part="document",
            before=dict(old),
            after=dict(new),
            cause=Cause("policy", reach.path),
            affects=reach.by({}),
        )


def _whole(path: str, added: bool, reach: Reached) -> Edit:
    told = "holds from now on" if added else "is gone: what it asked for is not asked any more"
    return Edit(
        "document-added" if added else "document-removed",
        f"{ticked(path)} {told}",
        part="document",
        cause=Cause("policy", path),
        affects=reach.by({}),
    )


def tenant_policy_edits(tenant: str, base: Snapshot, head: Snapshot) -> Iterator[Edit]:
    """The differences between the policy of one tenant, which may only tighten the platform's."""
    old, new = (side.tenants()[tenant].get("policy", _NOTHING) for side in (base, head))
    if old == new:
        return
    reach = reached(f"flows/{tenant}/tenant.yaml", base, head, tenant)
    for edit in rule_edits(_as_overridable(old), _as_overridable(new), reach):
        yield replace(edit, tenant=tenant)


def _as_overridable(policy: Mapping[str, Any]) -> dict[str, Any]:
    """A tenant's rules are its own to tighten: none of them is the platform's mandate."""
    return {
        key: [{"level": "overridable", **rule} for rule in rules] for key, rules in policy.items()
    }
