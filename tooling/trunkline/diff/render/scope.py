"""What the comment speaks of: which revisions and files were compared, and what blocks a merge."""

import re
from collections.abc import Iterator

from trunkline.diff.compared import Compared
from trunkline.diff.level import Level
from trunkline.diff.phrases import joined, plural
from trunkline.diff.render.inert import code, inert
from trunkline.diff.report import Report

_MOST_FILES = 5
_MOST_SORTS = 8


def scope(report: Report) -> str:
    """Both revisions, how many flows, the files that are judged and those that are not."""
    compared = report.compared
    revisions = " → ".join(
        _revision(name, commit)
        for name, commit in (
            (compared.base_name, report.base),
            (compared.head_name, report.head),
        )
    )
    parts = [f"Compared: {revisions}"]
    if compared.flows:
        parts.append(f"{plural(compared.flows, 'flow')} compiled")
    told = f"{', '.join(parts)}."
    if compared.judged:
        told += f" Judged: {_files(compared.judged)}."
    if compared.others:
        sorts = [plural(number, inert(word)) for word, number in compared.others[:_MOST_SORTS]]
        told += f" Changed, and not judged here: {joined(sorts)}."
    return f"<sub>{told}</sub>"


def unchanged(compared: Compared) -> str:
    """On what evidence nothing changes; empty where it is not known."""
    if not compared.flows:
        return ""
    flows = plural(compared.flows, "flow")
    same = f"What {flows} compile to, the catalogue, the policy, tenants and channels are the same"
    if not compared.judged:
        return f" {same}: none of their files differs."
    number = len(compared.judged)
    differ = "differs" if number == 1 else "differ"
    return (
        f" {same}: {_files(compared.judged)} {differ} only in comments, the order of keys, "
        "line breaks or where things stand."
    )


def blocking(report: Report) -> Iterator[str]:
    """For a breaking change that is not accepted: what stops, and who decides."""
    open_ones = [
        change
        for change in report.changes
        if change.level is Level.BREAKING and not report.is_accepted(change)
    ]
    if open_ones:
        one = len(open_ones) == 1
        what, its = ("this", "its fingerprint") if one else ("each of these", "the fingerprint")
        yield (
            f"> The check fails, and a merge that needs it waits, until compliance accepts {what} "
            f"by adding {its} to `policy/accepted.yaml`."
        )


def short(revision: str) -> str:
    """A commit by its first digits, any other name as it is."""
    return revision[:12] if re.fullmatch(r"[0-9a-f]{40,64}", revision) else revision


def _revision(name: str, commit: str) -> str:
    if not name or name == commit:
        return code(short(commit))
    return f"{code(name)} at {code(short(commit))}"


def _files(paths: tuple[str, ...]) -> str:
    shown = [code(path) for path in paths[:_MOST_FILES]]
    more = len(paths) - _MOST_FILES
    return joined([*shown, f"{more} more"] if more > 0 else shown)
