"""One item as Markdown: a cause with what it brings about."""

from collections.abc import Iterable, Iterator

from trunkline.diff.change import Change
from trunkline.diff.items import Item
from trunkline.diff.level import Level
from trunkline.diff.phrases import path_of
from trunkline.diff.render.inert import code, html_code, inert, sentence
from trunkline.diff.render.places import beside, flow_names, is_words
from trunkline.diff.render.word_diff import markdown_words
from trunkline.diff.report import Report

_LONGEST_MESSAGE = 700
_MOST_INLINE = 5
_MOST_LISTED = 30
_MOST_VARIANTS = 10
_MOST_NAMES = 3
_MOST_MEMBERS = 12

Seen = frozenset[str]


def entry(item: Item, report: Report, new: Seen, where: str) -> str:
    """A bullet for what is to be read first, at `where`, and below it what hangs together with it.

    `new` are the fingerprints that the last comment did not show.
    """
    lead = item.lead
    blocks = [_head(item, report, _new(lead, new), sentence(where)), *_below(lead, report)]
    for one in item.rest[:_MOST_MEMBERS]:
        word = "because" if one is item.cause else "so"
        told = _member(one, report, word, _new(one, new), beside(one, lead))
        blocks.append("\n\n".join([told, *(f"  {line}" for line in _below(one, report, lead))]))
    if len(item.rest) > _MOST_MEMBERS:
        blocks.append(f"- and {len(item.rest) - _MOST_MEMBERS} more that hang together with it")
    return "\n\n".join([blocks[0], *(_indented(block) for block in blocks[1:])])


def _indented(block: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in block.split("\n"))


def _new(change: Change, new: Seen) -> str:
    return "**new**" if change.fingerprint in new else ""


def _head(item: Item, report: Report, new: str, where: str) -> str:
    """`- **level** place: message. Level because …`, by the worst that is not accepted."""
    lead, worst = item.lead, item.worst(report.accepted)
    if lead.fingerprint in report.accepted:
        worst, level = lead, f"~~{lead.level.word}~~ **accepted**"
    else:
        level = "" if worst.level is Level.INFO else f"**{worst.level.word}**"
    head = " ".join(mark for mark in (level, new, where) if mark)
    told = f"{sentence(_shortened(lead.message))}{sentence(_why(worst))}"
    return f"- {head}: {told}" if head else f"- {told}"


def _member(change: Change, report: Report, word: str, new: str, where: str) -> str:
    """`- because: message (at place)`, with how it stands with compliance and the last comment."""
    accepted = (
        f"~~{change.level.word}~~ **accepted** " if change.fingerprint in report.accepted else ""
    )
    at = sentence(f" (at {where})") if where else ""
    new = f"{new} " if new else ""
    return f"- {word}: {accepted}{new}{sentence(_shortened(change.message))}{at}"


def _why(change: Change) -> str:
    return f". {change.level.word.capitalize()} because {change.why}." if change.why else ""


def _below(change: Change, report: Report, lead: Change | None = None) -> Iterator[str]:
    """What stands below a change: who accepted it, the path, the words, the flows."""
    accepted = report.accepted.get(change.fingerprint)
    if accepted is not None:
        yield f"Accepted by {inert(accepted.approver)}: {inert(accepted.reason)}"
    if change.trace and path_of(change.trace) not in change.message:
        yield f"Path: {' → '.join(code(node) for node in change.trace)}"
    if is_words(change):
        yield f"> {markdown_words(change.before, change.after)}"
    yield from _variants(change)
    if change.affects and change.flow is None and (lead is None or lead.affects != change.affects):
        yield _affected(change, report)


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
            yield f"> in {names}: {markdown_words(variant.before, variant.after)}"
        else:
            yield f"> in {names}: other values, below"
    if len(change.variants) > _MOST_VARIANTS:
        yield f"> and {len(change.variants) - _MOST_VARIANTS} more that differ"


def _affected(change: Change, report: Report) -> str:
    """The flows, each with the direction of its calls and the nodes; many of them folded."""
    directions = dict(report.compared.directions)
    nodes = dict(zip(change.affects, change.nodes, strict=False))
    told = []
    for id, name in zip(change.affects, flow_names(change.affects), strict=True):
        marks = [inert(directions.get(id, ""))]
        if nodes.get(id):
            marks.append(f"at {', '.join(html_code(node) for node in nodes[id][:_MOST_NAMES])}")
        known = ", ".join(mark for mark in marks if mark)
        told.append(f"{html_code(name)}{f' ({known})' if known else ''}")
    if len(told) <= _MOST_INLINE:
        return f"In {', '.join(told)}"
    shown = ", ".join(told[:_MOST_LISTED])
    more = f" and {len(told) - _MOST_LISTED} more" if len(told) > _MOST_LISTED else ""
    return f"<details><summary>The {len(told)} flows</summary>{shown}{more}</details>"
