"""What calls may be made for, in two revisions: purposes, grants, standing consents."""

from collections.abc import Iterator, Sequence

from trunkline.diff.change import Cause, Edit
from trunkline.diff.phrases import shown, ticked
from trunkline.diff.policies import Rule, moved_edits, rule_edit
from trunkline.diff.reached import Reached


def purpose_edits(before: Rule, after: Rule, reached: Reached) -> Iterator[Edit]:
    """What calls may be made for: purposes, who was granted which, standing consents."""
    old, new = before.get("purposes", {}), after.get("purposes", {})
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            kind, told = (
                ("purpose-declared", "may now be granted to tenants")
                if name in new
                else ("purpose-undeclared", "may no longer be granted to tenants")
            )
            yield rule_edit(
                kind,
                f"calls for {ticked(name)}: the purpose {told}",
                name,
                old.get(name),
                new.get(name),
                reached.for_purpose(name),
            )
        else:
            yield from moved_edits("purpose", name, old[name], new[name], reached.for_purpose(name))
    grants = before.get("grants", {}), after.get("grants", {})
    for tenant in sorted(grants[0].keys() | grants[1].keys()):
        was, now = set(grants[0].get(tenant, ())), set(grants[1].get(tenant, ()))
        for kind, purposes, told in (
            ("purpose-granted", now - was, "may now make or take calls for"),
            ("purpose-withdrawn", was - now, "may no longer make or take calls for"),
        ):
            for purpose in sorted(purposes):
                yield Edit(
                    kind,
                    f"{ticked(tenant)} {told} {ticked(purpose)}",
                    part=f"grant {tenant} {purpose}",
                    before=sorted(was),
                    after=sorted(now),
                    cause=Cause("policy", reached.path),
                    affects=reached.for_purpose(purpose).by({"tenant": tenant}),
                )
    yield from _consent_edits(before.get("consents", ()), after.get("consents", ()), reached)


def _consent_edits(
    before: Sequence[Rule], after: Sequence[Rule], reached: Reached
) -> Iterator[Edit]:
    """Consents that a tenant is said to hold; each one lets calls through."""
    for kind, one, other, told in (
        ("consent-withdrawn", before, after, "is no longer said to hold"),
        ("consent-recorded", after, before, "is said to hold"),
    ):
        for written in one:
            if written in other:
                continue
            tenant, purpose = str(written.get("tenant")), str(written.get("purpose"))
            consents = shown(written.get("consents"))
            yield Edit(
                kind,
                f"{ticked(tenant)} {told} {consents} of everybody it calls for {ticked(purpose)}",
                part=f"consent {tenant} {purpose}",
                before=None if kind == "consent-recorded" else dict(written),
                after=dict(written) if kind == "consent-recorded" else None,
                cause=Cause("policy", reached.path),
                affects=reached.for_purpose(purpose).by({"tenant": tenant}),
            )
