"""Reads lines of one width by their columns: the whole registry takes seconds instead of minutes.

The registry's full lists have one `AAA,NNNNNNN` a line, one area code after the other. A column of
a piece is one slice with a stride; digits of all lines are added up at once, as lanes of one large
integer. What is not of this form is left to whoever reads line by line.
"""

import sys
from array import array
from collections.abc import Sequence

_FROM_TWO = b"23456789"
_DIGITS = b"0123456789"
# The value of a digit in place of its letter.
_VALUES = bytes((letter - ord("0")) % 256 for letter in range(256))
_FIRST_DIGITS = (0, 4)
_OTHER_DIGITS = (1, 2, 5, 6, 7, 8, 9, 10)
_WIDTHS = (12, 13)  # with "\n", with "\r\n"


def runs(piece: bytes) -> list[tuple[str, Sequence[int]]] | None:
    """The seven digits of each line by area code, in runs of one area code each.

    `piece` ends with its last line. None if any line is not of the registry's form, or if area
    codes are so mixed that this way of reading gains nothing.
    """
    width = piece.find(b"\n") + 1
    if width not in _WIDTHS or len(piece) % width or not _well_formed(piece, width):
        return None
    found = []
    at = 0
    while at < len(piece):
        area = piece[at : at + 3]
        end = _end_of_run(piece, at, width, area)
        run = piece[at:end]
        lines = len(run) // width
        if any(run[column::width] != area[column : column + 1] * lines for column in range(3)):
            return None
        found.append((area.decode(), _numbers(run, width)))
        at = end
    return found


def _well_formed(piece: bytes, width: int) -> bool:
    lines = len(piece) // width
    fixed = {3: b",", width - 1: b"\n"} | ({11: b"\r"} if width == 13 else {})
    if any(piece[column::width] != letter * lines for column, letter in fixed.items()):
        return False
    return not any(
        piece[column::width].translate(None, allowed)
        for columns, allowed in ((_FIRST_DIGITS, _FROM_TWO), (_OTHER_DIGITS, _DIGITS))
        for column in columns
    )


def _end_of_run(piece: bytes, start: int, width: int, area: bytes) -> int:
    """Where another area code begins, if each has its lines together; the caller checks that."""
    low, high = start // width, len(piece) // width
    while high - low > 1:
        middle = (low + high) // 2
        if piece[middle * width : middle * width + 3] == area:
            low = middle
        else:
            high = middle
    return high * width


def _numbers(run: bytes, width: int) -> Sequence[int]:
    """The seven digits of each line, as lanes of four bytes that no sum overflows."""
    lines = len(run) // width
    digits = run.translate(_VALUES)
    lanes = bytearray(4 * lines)
    total = 0
    for column in (4, 6, 8):
        # Two digits fit one byte, and a shorter integer is made in less time.
        tens = int.from_bytes(digits[column::width], "little") * 10
        pair = tens + int.from_bytes(digits[column + 1 :: width], "little")
        lanes[0::4] = pair.to_bytes(lines, "little")
        total = total * 100 + int.from_bytes(lanes, "little")
    lanes[0::4] = digits[10::width]
    total = total * 10 + int.from_bytes(lanes, "little")
    numbers = array("I", total.to_bytes(4 * lines, "little"))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
