"""Where a character of a text stands in its file: through quotes, escapes and folded lines."""

import re
from collections.abc import Iterator

from trunkline.finding import Mark

# What libyaml takes for the end of a line.
_BREAK = re.compile(r"\r\n|[\n\r\x85\u2028\u2029]")
_NONE = (0, 0, "")
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b", "_": "\xa0", "N": "\x85"}


def line_and_column(source: str, mark: Mark, text: str, index: int) -> tuple[int, int] | None:
    """Line and column (1-based) of `text[index]` in the file `source`; `mark` is where it stands.

    What YAML folds is white space alone, so the other characters follow each other in the file as
    in the text. None if they do not: then the text was made otherwise than it is written.
    """
    written = _written(_BREAK.split(source), mark)
    for position, character in enumerate(text):
        if character.isspace():
            continue
        line, column, there = next((each for each in written if not each[2].isspace()), _NONE)
        if there != character:
            return None
        if position >= index:
            return line, column
        after = line, column + 1
    return after


def _written(lines: list[str], mark: Mark) -> Iterator[tuple[int, int, str]]:
    """The characters of a scalar as they are meant, each with where it stands."""
    first = lines[mark.line - 1][mark.column - 1 :]
    style = first[:1]
    if style in "|>":
        for number in range(mark.line + 1, mark.end_line + 1):
            yield from _plain(number, 1, lines[number - 1])
        return
    quoted = style in "'\""
    for number in range(mark.line, mark.end_line + 1):
        line = lines[number - 1] if number <= len(lines) else ""
        end = mark.end_column - 1 - quoted if number == mark.end_line else len(line)
        begin = mark.column + quoted if number == mark.line else 1
        if style == '"':
            yield from _escaped(number, begin, line[begin - 1 : end])
        elif style == "'":
            yield from _doubled(number, begin, line[begin - 1 : end])
        else:
            yield from _plain(number, begin, line[begin - 1 : end])


def _plain(line: int, column: int, text: str) -> Iterator[tuple[int, int, str]]:
    for offset, character in enumerate(text):
        yield line, column + offset, character


def _doubled(line: int, column: int, text: str) -> Iterator[tuple[int, int, str]]:
    for found in re.finditer(r"''|.", text, re.DOTALL):
        yield line, column + found.start(), found[0][0]


def _escaped(line: int, column: int, text: str) -> Iterator[tuple[int, int, str]]:
    at = 0
    while at < len(text):
        if text[at] != "\\":
            yield line, column + at, text[at]
            at += 1
            continue
        kind = text[at + 1 : at + 2]
        digits = _HEX_DIGITS.get(kind, 0)
        if digits:
            yield line, column + at, chr(int(text[at + 2 : at + 2 + digits], 16))
        elif kind:  # an escaped end of the line is nothing
            yield line, column + at, _ESCAPED.get(kind, kind)
        at += 2 + digits
