"""What was compared: two revisions, how many flows, and which of the files that differ."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from trunkline.diff.change import FlowId
from trunkline.diff.git_tree import git
from trunkline.source.layout import is_shared, kind_of

# What is not judged here: its kind, or how its path begins; and a word for it.
_KINDS = {"scenarios": "scenario test", "policy-test": "policy test"}
_PLACES = (
    ((".github/", "action.yml"), "workflow file"),
    (("docs/",), "document"),
    (("tooling/", "runtime/", "schemas/", "tests/", "Makefile", "pyproject.toml"), "code file"),
)


@dataclass(frozen=True)
class Compared:
    """`base_name` and `head_name` are what the reader calls the revisions, empty where that says
    no more than the commit. `flows` counts those of both. `judged` are the files that differ and
    are compared, `others` counts those that differ and are not, by what they are. `directions`
    has the flows that a change reaches."""

    base_name: str = ""
    head_name: str = ""
    flows: int = 0
    judged: tuple[str, ...] = ()
    others: tuple[tuple[str, int], ...] = ()
    directions: tuple[tuple[FlowId, str], ...] = field(default=())


NOTHING_SAID = Compared()


def flows_in(paths: Iterable[str]) -> int:
    """How many flows of tenants lie at these paths."""
    return len({path for path in paths if kind_of(path) == "flow" and not is_shared(path)})


def sorted_files(paths: Iterable[str]) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    """Paths that differ: those that are judged, and how many there are of each other sort."""
    judged: list[str] = []
    others: Counter[str] = Counter()
    for path in sorted(set(paths)):
        if word := _other(path):
            others[word] += 1
        else:
            judged.append(path)
    return tuple(judged), tuple(sorted(others.items()))


def is_judged(path: str) -> bool:
    """True for a file that a comparison looks into: a test decides no call."""
    return not _other(path)


def _other(path: str) -> str:
    kind = kind_of(path)
    if kind is not None:
        return _KINDS.get(kind, "")
    if path.endswith(".md"):
        return "document"
    return next((word for places, word in _PLACES if path.startswith(places)), "other file")


def changed_files(root: Path, base: str, head: str) -> tuple[str, ...]:
    """The paths below `root` that differ between two commits; none where git does not say."""
    quiet = ("--no-renames", "--ignore-submodules", "--no-ext-diff", "--no-textconv")
    found = git(root, "diff-tree", "-r", "-z", "--name-only", "--relative", *quiet, base, head)
    return tuple(path.decode("utf-8", "replace") for path in found.stdout.split(b"\0") if path)


def told_name(revision: str, commit: str) -> str:
    """The name of a revision as a reader knows it; empty for a commit, `HEAD` and the like."""
    plain = not any(sign in revision for sign in "^~@:")
    return revision if plain and revision != "HEAD" and not commit.startswith(revision) else ""
