"""The report for a person at a terminal."""

from collections.abc import Iterator

from rich.text import Text

from trunkline.diff.change import Change
from trunkline.diff.items import Item
from trunkline.diff.level import Level
from trunkline.diff.phrases import path_of
from trunkline.diff.render.inert import plain
from trunkline.diff.render.places import (
    beside,
    flow_names,
    grouped,
    in_heading,
    is_words,
    place,
)
from trunkline.diff.render.verdict import level_word, verdict
from trunkline.diff.render.word_diff import pieces_of
from trunkline.diff.report import Report
from trunkline.report.terminal import drawn_lines

_COLOURS = {"breaking": "bold red", "risky": "bold yellow", "info": "dim", "accepted": "green"}
_STYLES = {"removed": "red strike", "added": "green underline", "same": ""}
_MOST_LISTED = 12


def render_text(report: Report) -> str:
    """The verdict, the risks with their paths, then the rest by tenant and flow."""
    return drawn_lines(_lines(report))


def _lines(report: Report) -> Iterator[Text]:
    word = level_word(report)
    yield Text(f"{plain(verdict(report))}.", style=_COLOURS.get(word, "bold"))
    for one in report.left_out:
        how = "not compared" if one.whole else "compared in part"
        told = plain(f"{one.what} ({one.revision}): {how}: {one.reason}")
        yield Text(f"  ! {told}", style="yellow")
    for item in report.items:
        if item.level > Level.INFO:
            yield Text()
            yield from _item(report, item, place(item.lead))
    minor = {item.lead.fingerprint: item for item in report.items if item.level is Level.INFO}
    for name, changes in grouped(item.lead for item in minor.values()).items():
        yield Text()
        yield Text(plain(name), style="bold")
        for change in changes:
            yield from _item(report, minor[change.fingerprint], in_heading(change))


def _item(report: Report, item: Item, where: str) -> Iterator[Text]:
    lead, worst = item.lead, item.worst(report.accepted)
    word = "accepted" if lead.fingerprint in report.accepted else worst.level.word
    yield _line(Text(f"  {word}", _COLOURS[word]), where, lead)
    if worst.why:
        yield Text("      " + plain(f"{worst.level.word} because {worst.why}"))
    yield from _below(report, lead, "      ")
    for one in item.rest:
        tie = "because:" if one is item.cause else "so:"
        accepted = " accepted" if one.fingerprint in report.accepted else ""
        tied = Text.assemble(f"      {tie}", (accepted, _COLOURS["accepted"]))
        yield _line(tied, beside(one, lead), one)
        yield from _below(report, one, "          ", lead)


def _line(head: Text, where: str, change: Change) -> Text:
    place_text = plain(where.replace("`", ""))
    return head.append(f" {place_text}: " if place_text else " ").append(plain(change.message))


def _below(
    report: Report, change: Change, below: str, lead: Change | None = None
) -> Iterator[Text]:
    """What belongs to a change, and its `lead` does not say: who accepted it, the words, …"""
    accepted = report.accepted.get(change.fingerprint)
    if accepted is not None:
        yield Text(below + plain(f"by {accepted.approver}: {accepted.reason}"))
    if change.trace and path_of(change.trace) not in change.message:
        yield Text(below + plain(f"path: {path_of(change.trace)}"))
    if is_words(change):
        yield Text.assemble(below, _words(change))
    for variant in change.variants:
        told = ", ".join(flow_names(variant.affects)[:_MOST_LISTED])
        yield Text(below + plain(f"differs in {told}"))
    if change.flow is None and change.affects and (lead is None or lead.affects != change.affects):
        names = flow_names(change.affects)
        more = len(names) - _MOST_LISTED
        told = ", ".join(names[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
        yield Text(below + plain(f"in {told}"), style="dim")
    if change.level is Level.BREAKING and accepted is None:
        yield Text(f"{below}fingerprint {change.fingerprint}", style="dim")


def _words(change: Change) -> Text:
    """The word diff; without colours the signs `[-` and `{+` tell the words apart."""
    told = Text()
    signs = {"removed": ("[-", "-]"), "added": ("{+", "+}"), "same": ("", "")}
    for piece in pieces_of(change.before, change.after):
        opening, closing = signs[piece.status]
        words = plain(piece.text)
        head = " " if piece.text[:1].isspace() else ""
        tail = " " if piece.text[-1:].isspace() and words else ""
        told.append(head)
        told.append(f"{opening}{words}{closing}" if words else "", style=_STYLES[piece.status])
        told.append(tail)
    return told
