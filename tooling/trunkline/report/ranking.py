"""Which findings matter most, for reports that cannot show all of them."""

from collections.abc import Iterable

from trunkline.finding import Finding

# A broken proof or rule of policy can harm a caller; the rest breaks the flow for its author.
_WORST = ("TL401", "TL5")


def worst_first(findings: Iterable[Finding]) -> list[Finding]:
    """Errors before warnings, broken proofs and policy before the rest, then by place."""
    return sorted(
        findings,
        key=lambda found: (
            found.severity != "error",
            not found.code.startswith(_WORST),
            found.order,
        ),
    )
