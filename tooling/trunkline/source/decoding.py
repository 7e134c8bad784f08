"""From bytes to text: UTF-8 without a mark or characters that nobody sees (TL001)."""

import re

from trunkline.finding import START, Finding, Mark, error

LARGEST_FILE = 1024 * 1024

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
# C0 and C1 controls and the non-characters are no part of YAML; U+0085, U+2028 and U+2029 end a
# line in YAML 1.1 and not in 1.2; U+FEFF in mid-file becomes part of a key.
_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_UTF16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_SAVE_AS_UTF8 = "Save the file as UTF-8 without a byte-order mark."


def position(text: str, offset: int) -> Mark:
    """The line and column of a character."""
    before = text[:offset]
    breaks = list(_LINE_BREAK.finditer(before))
    line, column = len(breaks) + 1, offset - (breaks[-1].end() if breaks else 0) + 1
    return Mark(line, column, line, column + 1)


def decode(path: str, raw: bytes) -> str | list[Finding]:
    """The text of a file, or every reason why it is not readable."""
    if len(raw) > LARGEST_FILE:
        message = f"this file is too large: more than {LARGEST_FILE // 1024} KiB"
        return [error("TL001", path, START, message, "Split it, or move data out of it.")]
    if raw.startswith(_UTF16_OR_32) or _looks_like_utf16(raw):
        return [error("TL001", path, START, "this file is UTF-16 or UTF-32", _SAVE_AS_UTF8)]
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as problem:
        readable = raw[: problem.start].decode("utf-8")
        where = position(readable, len(readable))
        message = (
            f"this file is not UTF-8: the byte 0x{raw[problem.start]:02X} does not belong here"
        )
        return [error("TL001", path, where, message, _SAVE_AS_UTF8)]
    return _unseen(path, text) or text


def _looks_like_utf16(raw: bytes) -> bool:
    """UTF-16 without its mark: every other byte of the beginning is NUL."""
    start = raw[:40]
    return len(start) >= 4 and (not any(start[1::2]) or not any(start[::2]))


def _unseen(path: str, text: str) -> list[Finding]:
    """The first of each character that is not allowed."""
    first: dict[str, int] = {}
    for match in _UNSEEN.finditer(text):
        first.setdefault(match.group(), match.start())
    return [
        error("TL001", path, position(text, offset), *_about(character, offset))
        for character, offset in first.items()
    ]


def _about(character: str, offset: int) -> tuple[str, str]:
    name = f"U+{ord(character):04X}"
    if character == "\ufeff" and offset == 0:
        return "this file begins with a byte-order mark", _SAVE_AS_UTF8
    if character in "\x85\u2028\u2029":
        return (
            f"a line separator that editors do not show ({name})",
            'Delete it; inside double quotes it may be written "\\u2028".',
        )
    if character == "\ufeff":
        return f"a byte-order mark in the middle of the file ({name})", "Delete it."
    return f"a control character ({name})", "Delete it; nobody can see it."
