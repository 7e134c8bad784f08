"""The report as Markdown for a pull request: the verdict, the risks, the rest, pictures, details.

A comment holds 65,536 characters. What does not fit is left out from the end, where the least
important stands, and the comment says what is missing.
"""

import re
from collections.abc import Iterator

from trunkline.diff.level import Level
from trunkline.diff.picture import Picture
from trunkline.diff.render.detail import detail
from trunkline.diff.render.entry import entry
from trunkline.diff.render.inert import code, html_code, inert, sentence
from trunkline.diff.render.mermaid import legend, mermaid
from trunkline.diff.render.places import grouped, in_heading, place
from trunkline.diff.render.scope import blocking, scope, short, unchanged
from trunkline.diff.render.section import Part, filled
from trunkline.diff.render.verdict import level_word, verdict
from trunkline.diff.report import Report

LIMIT = 65_000  # characters, with room left for what a caller puts around it
_MOST_GAPS = 10
_LONGEST_DETAILS = 15_000
_BEGUN = 100
_MOST_SEEN = 400
_SHORT = 12  # of a fingerprint, where it only tells old from new
_SEEN = re.compile(r"<!-- trunkline diff: seen((?: [0-9a-f]{12})*) -->")


def render_markdown(
    report: Report,
    seen: frozenset[str] | None = None,
    limit: int = LIMIT,
    proposed: bool = True,
) -> str:
    """The whole report, at most `limit` characters.

    With `seen` (see `seen_in`) whatever is not among it is marked as new. `proposed` is false for
    what is merged already: nothing stops it, and nothing is to be accepted.
    """
    head = [f"**{level_word(report).capitalize()}**: {inert(verdict(report))}."]
    if not report.changes:
        evidence = "" if report.left_out else unchanged(report.compared)
        head = [f"**{inert(verdict(report))}.**{evidence}"]
    head += [*(blocking(report) if proposed else ()), *_gaps(report)]
    foot = [scope(report), _marker(report)]
    room = limit - sum(len(text) + 2 for text in (*head, *foot))
    body, missing = filled(list(_parts(report, seen, proposed)), room)
    if missing:
        head.append(f"> {missing} Run {_command(report)} to see everything.")
    return "\n\n".join([*head, *body, *foot]) + "\n"


def seen_in(body: str) -> frozenset[str] | None:
    """The changes that an earlier comment showed; None if it was not written by this module."""
    # Ours is the last: text of a flow that looks like it stands further up, as text.
    found = _SEEN.findall(body)
    return frozenset(found[-1].split()) if found else None


def _marker(report: Report) -> str:
    """What was shown, for the next version of this comment; GitHub does not show it."""
    names = "".join(f" {change.fingerprint[:_SHORT]}" for change in report.changes[:_MOST_SEEN])
    return f"<!-- trunkline diff: seen{names} -->"


def _unseen(report: Report, seen: frozenset[str] | None) -> frozenset[str]:
    """The fingerprints that the last comment did not show; none where there was no last one."""
    if seen is None:
        return frozenset()
    return frozenset(
        change.fingerprint for change in report.changes if change.fingerprint[:_SHORT] not in seen
    )


def _gaps(report: Report) -> Iterator[str]:
    if not report.left_out:
        return
    lines = ["Could not be compared in full; what is said below is about the rest:"]
    for one in report.left_out[:_MOST_GAPS]:
        how = "not at all" if one.whole else "in part"
        lines.append(f"- {code(one.what)} in the {one.revision}, {how}: {sentence(one.reason)}")
    if len(report.left_out) > _MOST_GAPS:
        lines.append(f"- and {len(report.left_out) - _MOST_GAPS} more")
    yield "\n".join(lines)


def _parts(report: Report, seen: frozenset[str] | None, proposed: bool) -> Iterator[Part]:
    """Everything below the verdict, the most important first."""
    new = _unseen(report, seen)
    flows = report.flows()
    only = next(iter(flows)) if len(flows) == 1 else None  # the verdict names it
    risks = [item for item in report.items if item.level > Level.INFO]
    for item in risks:
        told = entry(item, report, new, place(item.lead, only))
        yield Part(told, item.level.word, ("### Weigh these",))
    minor = {item.lead.fingerprint: item for item in report.items if item.level is Level.INFO}
    first = "### What else changes" if risks else "### What changes"
    for name, changes in grouped(item.lead for item in minor.values()).items():
        for change in changes:
            told = entry(minor[change.fingerprint], report, new, in_heading(change))
            yield Part(told, "minor", (first, f"**{inert(name)}**"))
    for picture in report.pictures:
        yield Part(_drawn(picture), "picture")
    yield from _details(report)
    if proposed:
        yield from _fingerprints(report)


def _drawn(picture: Picture) -> str:
    name = html_code(f"{picture.tenant}/{picture.flow}")
    alike = f", and {len(picture.alike)} more that look the same" if picture.alike else ""
    left = f" {picture.left_out} more changed nodes are not drawn." if picture.left_out else ""
    return (
        f"<details open><summary>The changed part of {name}{alike}</summary>\n\n"
        f"```mermaid\n{mermaid(picture)}```\n\n{legend(picture)}{left}\n\n</details>"
    )


def _details(report: Report) -> Iterator[Part]:
    told: list[str] = []
    left = 0
    for change in report.changes:
        found = detail(change)
        if found is None:
            continue
        block = f"{code(change.kind)} {sentence(place(change))}\n\n{found}"
        if sum(map(len, told)) + len(block) > _LONGEST_DETAILS:
            left += 1
        else:
            told.append(block)
    if told:
        more = [f"{left} more are left out here."] if left else []
        yield Part(_folded("Before and after, in full", *told, *more), "list of details")


def _fingerprints(report: Report) -> Iterator[Part]:
    """For compliance: the name of each breaking change that is not accepted yet."""
    breaking = [
        f"- {code(change.fingerprint)} {sentence(place(change))}: {_begun(change.message)}"
        for change in report.changes
        if change.level is Level.BREAKING and not report.is_accepted(change)
    ]
    if breaking:
        how = (
            "An entry of `policy/accepted.yaml` in this pull request, with the fingerprint, a "
            "reason and an approver; the file is compliance's, so the forge asks for its review."
        )
        listed = "\n".join(breaking)
        yield Part(_folded("Fingerprints, to accept", how, listed), "list of fingerprints")


def _begun(message: str) -> str:
    """The beginning of a message, to know it by."""
    message = message.replace("`", "")
    return inert(message if len(message) <= _BEGUN else f"{message[:_BEGUN]}…")


def _folded(summary: str, *blocks: str) -> str:
    inside = "\n\n".join(blocks)
    return f"<details><summary>{summary}</summary>\n\n{inside}\n\n</details>"


def _command(report: Report) -> str:
    head = "" if " " in report.head else f" {short(report.head)}"
    return code(f"trunkline diff {short(report.base)}{head}")
