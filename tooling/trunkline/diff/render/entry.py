"""One change as Markdown."""

import json
from collections.abc import Iterable
from difflib import unified_diff

from trunkline.diff.change import Change, FlowId
from trunkline.diff.level import Level
from trunkline.diff.phrases import path_of
from trunkline.diff.render.inert import code, fenced, html_code, inert, sentence
from trunkline.diff.render.places import flow_names, is_words
from trunkline.diff.render.word_diff import markdown_words
from trunkline.diff.report import Report

_LONGEST_MESSAGE = 700
_MOST_LISTED = 30
_MOST_VARIANTS = 10
_MOST_NAMES = 3
_MOST_LINES = 60


def entry(change: Change, report: Report, where: str, is_new: bool) -> str:
    """A bullet: level, place, what changed; below it the words, the path, whom it affects."""
    accepted = report.accepted.get(change.fingerprint)
    level = "" if change.level is Level.INFO else f"**{change.level.word}**"
    if accepted is not None:
        level = f"~~{change.level.word}~~ **accepted**"
    marks = [level, "**new**" if is_new else "", sentence(where)]
    head = " ".join(mark for mark in marks if mark)
    told = sentence(_shortened(change.message))
    lines = [f"- {head}: {told}" if head else f"- {told}"]
    if accepted is not None:
        lines.append(f"  Accepted by {inert(accepted.approver)}: {inert(accepted.reason)}")
    if change.trace and path_of(change.trace) not in change.message:
        lines.append(f"  Path: {' → '.join(code(node) for node in change.trace)}")
    if is_words(change):
        lines.append(f"  > {markdown_words(change.before, change.after)}")
    lines += _variants(change)
    if len(change.affects) > 1:
        lines.append(f"  {_affected(change.affects)}")
    return "\n\n".join(lines[:1] + lines[1:])


def _shortened(message: str) -> str:
    if len(message) <= _LONGEST_MESSAGE:
        return message
    cut = message[:_LONGEST_MESSAGE]
    # An id that is cut must not turn the rest of the line into code.
    return f"{cut}{'`' * (cut.count('`') % 2)} …"


def _variants(change: Change) -> Iterable[str]:
    for variant in change.variants[:_MOST_VARIANTS]:
        names = ", ".join(code(name) for name in flow_names(variant.affects[:_MOST_NAMES]))
        more = len(variant.affects) - _MOST_NAMES
        names += f" and {more} more" if more > 0 else ""
        if isinstance(variant.after, str) or isinstance(variant.before, str):
            yield f"  > in {names}: {markdown_words(variant.before, variant.after)}"
        else:
            yield f"  > in {names}: other values, below"
    if len(change.variants) > _MOST_VARIANTS:
        yield f"  > and {len(change.variants) - _MOST_VARIANTS} more that differ"


def _affected(flows: tuple[FlowId, ...]) -> str:
    names = flow_names(flows)
    shown = ", ".join(html_code(name) for name in names[:_MOST_LISTED])
    more = f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    return f"<details><summary>The {len(names)} flows</summary>{shown}{more}</details>"


# The message of these says all of it.
_SAID = frozenset(
    {"proof-lost", "proof-gained", "worst-case-spend-grown", "worst-case-spend-shrunk"}
)


def detail(change: Change) -> str | None:
    """What was and what is now, as JSON lines; None where the entry already says it all."""
    if (
        is_words(change)
        or change.kind in _SAID
        or not any(isinstance(value, dict | list) for value in (change.before, change.after))
    ):
        return None
    lines = list(unified_diff(_lines(change.before), _lines(change.after), n=3, lineterm=""))[2:]
    kept = [line for line in lines if not line.startswith("@@")]
    if len(kept) > _MOST_LINES:
        left = len(kept) - _MOST_LINES
        kept = [*kept[:_MOST_LINES], f"… {left} more lines"]
    return fenced("\n".join(kept), "diff")


def _lines(value: object) -> list[str]:
    if value is None:
        return []
    return json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True).split("\n")
