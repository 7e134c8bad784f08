"""The prompts: files with a version, and a new version for every change of their words."""

import hashlib

import pytest

from trunkline.draft.prompt import NAMES, prompt, versions

# name → (version, how its text begins as SHA-256). A text that changes gets a new version here.
KNOWN = {
    "system": (1, "fc50c2039bf9"),
    "plan": (2, "70291ce4eb6d"),
    "steps": (2, "5929a0c8096d"),
    "findings": (1, "4cc613ce9919"),
    "invalid": (1, "42affc113da5"),
    "interview": (1, "7831526efddc"),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_that_changes_has_a_new_version(name: str) -> None:
    found = prompt(name)
    told = hashlib.sha256(found.text.encode()).hexdigest()[:12]
    assert (found.version, told) == KNOWN[name], "raise the version in the file, then here"


def test_all_are_told_on_one_line() -> None:
    assert versions() == " ".join(f"{name}@{prompt(name).version}" for name in NAMES)
