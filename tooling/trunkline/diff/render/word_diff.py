"""Words before and after as one line: what went is struck out, what came is underlined."""

from trunkline.diff.render.inert import inert
from trunkline.diff.words import Piece, word_diff

# Unchanged words kept on each side of a change.
_AROUND = 60
_LONGEST = 1_500


def markdown_words(before: object, after: object) -> str:
    """The word diff as HTML that GitHub keeps: `<del>` and `<ins>`, with inert text."""
    told, length = "", 0
    pieces = pieces_of(before, after)
    for index, piece in enumerate(pieces):
        length += len(piece.text)
        if length > _LONGEST and index:
            left = sum(len(rest.text) for rest in pieces[index:])
            return f"{told} … ({left} more characters)"
        # What went and what came in its place are two words, not one.
        replaced = piece.status == "added" and index and pieces[index - 1].status == "removed"
        told += (" " if replaced and not told.endswith(" ") else "") + _marked(piece)
    return told


def pieces_of(before: object, after: object) -> tuple[Piece, ...]:
    """The word diff with long unchanged stretches cut; `…` says where."""
    pieces = word_diff(_text(before), _text(after))
    return tuple(
        Piece(piece.status, _shortened(piece, index == 0, index == len(pieces) - 1))
        for index, piece in enumerate(pieces)
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _shortened(piece: Piece, first: bool, last: bool) -> str:
    text = piece.text
    if piece.status != "same":
        return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    if first and last:
        return text
    if first and len(text) > _AROUND:
        return f"…{_from_a_space(text[-_AROUND:])}"
    if last and len(text) > _AROUND:
        return f"{_to_a_space(text[:_AROUND])}…"
    if len(text) > 2 * _AROUND:
        return f"{_to_a_space(text[:_AROUND])} … {_from_a_space(text[-_AROUND:])}"
    return text


def _from_a_space(text: str) -> str:
    head, space, rest = text.partition(" ")
    return f" {rest}" if space else head


def _to_a_space(text: str) -> str:
    head, space, rest = text.rpartition(" ")
    return head if space else rest


def _marked(piece: Piece) -> str:
    head, tail = _ends(piece.text)
    words = inert(piece.text)
    if not words:
        return head
    tag: dict[str, str] = {"removed": "del", "added": "ins"}
    if piece.status in tag:
        words = f"<{tag[piece.status]}>{words}</{tag[piece.status]}>"
    return f"{head}{words}{tail}"


def _ends(text: str) -> tuple[str, str]:
    return (" " if text[:1].isspace() else "", " " if text[-1:].isspace() else "")
