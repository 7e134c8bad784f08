"""Where each kind of file lies in a repository."""

import re
from functools import lru_cache

_NAME = r"[^/]+"
# Pattern of the path → kind of file; the first that matches counts.
_LAYOUT = tuple(
    (re.compile(pattern), kind)
    for pattern, kind in (
        (rf"flows/shared/{_NAME}\.yaml", "flow"),
        (rf"flows/{_NAME}/tenant\.yaml", "tenant"),
        (rf"flows/{_NAME}/channels\.yaml", "channels"),
        (rf"flows/{_NAME}/{_NAME}\.yaml", "flow"),
        (rf"flows/{_NAME}/scenarios/{_NAME}\.yaml", "scenarios"),
        (r"catalog/facts\.yaml", "facts"),
        (r"catalog/outcomes\.yaml", "outcomes"),
        (rf"catalog/tools/{_NAME}/{_NAME}\.yaml", "tool"),
        (r"policy/requirements\.yaml", "requirements"),
        (r"policy/obligations\.yaml", "obligations"),
        (r"policy/disclosures\.yaml", "disclosures"),
        (r"policy/purposes\.yaml", "purposes"),
        (r"policy/dnc\.yaml", "dnc"),
        (r"policy/spend\.yaml", "spend"),
        (r"policy/exceptions\.yaml", "exceptions"),
        (r"policy/accepted\.yaml", "accepted"),
        (rf"policy/jurisdictions/{_NAME}\.yaml", "jurisdiction"),
        (rf"policy/tests/{_NAME}\.yaml", "policy-test"),
    )
)

# The folders that a repository's files lie in; everything else belongs to somebody else.
FOLDERS = ("flows", "catalog", "policy")
DEEPEST = 5  # parts of a path; one more than the longest above, so that a file too deep is told

KINDS = tuple(dict.fromkeys(kind for _, kind in _LAYOUT))


@lru_cache(maxsize=100_000)  # a check asks several times about each file
def kind_of(path: str) -> str | None:
    """The kind of the file at `path`, or None if nothing reads a file there."""
    for pattern, kind in _LAYOUT:
        if pattern.fullmatch(path):
            return kind
    return None


def is_shared(path: str) -> bool:
    """True for a shared flow."""
    return path.startswith("flows/shared/")
