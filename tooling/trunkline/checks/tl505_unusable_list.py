"""TL505: a Do-Not-Call list that could not be trusted.

Finds: a list in `policy/dnc.yaml` that does not say which bytes it means (`sha256`), where it comes
from (`source`), when it was obtained (`obtained_at`) or how old it may be (`max_age`).

On the phone: nobody could tell whether the list is the right one or years old, so every call to
which it applies is denied.

Fails:

    lists:
      - id: us-national-registry
        uri: us-national-registry.txt

Passes:

    lists:
      - id: us-national-registry
        uri: us-national-registry.txt
        sha256: "4f6c9a5e2b71d80c3a94e7f15b26d0c88e1f35a7b90264dce7713f0a8529bd46"
        source: National Do Not Call Registry
        obtained_at: "2026-11-29T00:00:00Z"
        max_age: 31d
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at, listed
from trunkline.finding import Finding
from trunkline.model.policy import DNC
from trunkline.model.repository import Repository

CODE = "TL505"
_PARTS = ("sha256", "source", "obtained_at", "max_age")


def check_policy(repository: Repository) -> Iterator[Finding]:
    """Each list that lacks a part without which it denies."""
    policy = repository.policy
    for index, written in enumerate(policy.documents.get(DNC, {}).get("lists", ())):
        missing = tuple(part for part in _PARTS if not str(written.get(part, "")).strip())
        if missing:
            message = (
                f"the list `{written['id']}` has no {listed(missing)}, so nobody can tell "
                "whether it is the right one and new enough"
            )
            help = "Obtain the list, and write down where, when, its sha256 and its age limit."
            place = policy.places[DNC].at("lists", index)
            yield error_at(CODE, place, message, help)
