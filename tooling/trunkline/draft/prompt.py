"""The prompts: files with a version, filled in with what a draft is about."""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

_HEAD = re.compile(r"<!-- (?P<name>[a-z]+), version (?P<version>[0-9]+) -->\n")
NAMES = ("system", "plan", "steps", "findings", "invalid", "interview")


@dataclass(frozen=True)
class Prompt:
    """A prompt as its file has it: `$name` stands where something is filled in."""

    name: str
    version: int
    text: str

    def filled(self, **values: str) -> str:
        """The text. Raises KeyError if a value is missing: that is a bug of ours."""
        return Template(self.text).substitute(values).strip()


@cache
def prompt(name: str) -> Prompt:
    """The prompt of that name."""
    written = (files("trunkline.draft") / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    head = _HEAD.match(written)
    assert head is not None, f"{name}.md begins with its name and version"
    return Prompt(name, int(head["version"]), written[head.end() :])


def versions() -> str:
    """All prompts and their versions, on one line: what a result was made with."""
    return " ".join(f"{name}@{prompt(name).version}" for name in NAMES)
