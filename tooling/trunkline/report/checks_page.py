"""The documentation of every check as one page of Markdown: `docs/checks.md` (`make docs`)."""

import sys
from collections.abc import Iterable, Iterator

from trunkline.checks.documentation import Documentation, documentation

_HEAD = """\
# Checks

What `trunkline check` finds, in the words of `trunkline explain CODE`. Errors stop a release;
warnings do not. A warning may stand where a comment on its line, or on the line above, says why:
`# trunkline: ignore[TL303] they may ask about anything here`.

This page is made from the docstrings of `tooling/trunkline/checks/` by `make docs`.
"""
_GROUPS = {
    "0": "Reading",
    "1": "Structure",
    "2": "Graph",
    "3": "Tools",
    "4": "Facts and data",
    "5": "Policy",
    "6": "Speech",
    "7": "Tenant and release",
}


def checks_page(checks: Iterable[Documentation]) -> str:
    """The page; the same bytes on every run."""
    return "".join(f"{line}\n" for line in _lines(list(checks)))


def _lines(checks: list[Documentation]) -> Iterator[str]:
    yield from _HEAD.splitlines()
    yield ""
    yield "| code | finds |"
    yield "|---|---|"
    for check in checks:
        yield f"| [{check.code}](#{check.code.lower()}) | {check.title.replace('|', '&#124;')} |"
    group = ""
    for check in checks:
        if check.code[2] != group:
            group = check.code[2]
            yield from ("", f"## {_GROUPS[group]}")
        yield from _check(check)


def _check(check: Documentation) -> Iterator[str]:
    yield from ("", f"### {check.code}", "", f"**{check.title[:1].upper()}{check.title[1:]}.**")
    yield from ("", f"Finds: {check.finds}")
    yield from ("", f"On the phone: {check.phone}")
    for title, example in (("Fails", check.failing), ("Passes", check.passing)):
        yield from ("", f"{title}:", "", "```yaml", *example.splitlines(), "```")


if __name__ == "__main__":
    sys.stdout.write(checks_page(documentation().values()))
