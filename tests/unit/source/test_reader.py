"""One file: its values, the places of keys and values, and every reading error at once."""

from collections.abc import Callable
from typing import Literal

import pytest

from trunkline.finding import Finding
from trunkline.source.document import Document

Read = Callable[[str | bytes], tuple[Document | None, list[Finding]]]


def _document(read: Read, text: str) -> Document:
    document, findings = read(text)
    assert findings == []
    assert document is not None
    return document


def _told(read: Read, content: str | bytes) -> list[tuple[str, int, int]]:
    document, findings = read(content)
    assert document is None
    return [(finding.code, finding.line, finding.column) for finding in findings]


def test_values_and_the_order_of_keys(read: Read) -> None:
    text = "b: 1\na: [x, 2.5, true, null]\nc: {d: 'no', 9: \"\"}\ne: |\n  x\n  y\n"
    data = _document(read, text).data
    assert data == {
        "b": 1,
        "a": ["x", 2.5, True, None],
        "c": {"d": "no", "9": ""},
        "e": "x\ny\n",
    }
    assert list(data) == ["b", "a", "c", "e"]


def test_windows_line_ends_read_like_others(read: Read) -> None:
    text = "a: |\n  x\n  y\nb:\n  - c\n"
    assert _document(read, text.replace("\n", "\r\n")).data == _document(read, text).data


_TEXT = "id: é\nnodes:\n  hello:\n    edges:\n      - {to: x, when: ''}\n"
_EDGE = ["nodes", "hello", "edges", 0]


@pytest.mark.parametrize(
    ("path", "of", "mark"),
    [
        ([], "value", (1, 1, 5, 26)),
        (["id"], "value", (1, 5, 1, 6)),
        (["nodes"], "key", (2, 1, 2, 6)),
        (["nodes", "hello"], "key", (3, 3, 3, 8)),
        (["nodes", "hello"], "value", (4, 5, 5, 26)),
        (_EDGE, "value", (5, 9, 5, 26)),
        ([*_EDGE, "when"], "key", (5, 17, 5, 21)),
        ([*_EDGE, "when"], "value", (5, 23, 5, 25)),
        # What is not there stands where the nearest thing around it does.
        (["nodes", "gone", "edges"], "key", (2, 1, 2, 6)),
    ],
)
def test_where_keys_and_values_stand(
    read: Read,
    path: list[str | int],
    of: Literal["key", "value"],
    mark: tuple[int, int, int, int],
) -> None:
    assert _document(read, _TEXT).mark(path, of) == mark


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # TL001: syntax
        ("a: [b\nc: d\n", [("TL001", 2, 2)]),
        ("a: {b: c\nd: e\n", [("TL001", 2, 2)]),
        ("a: 'b\n", [("TL001", 1, 6)]),
        ("a: b: c\n", [("TL001", 1, 5)]),
        ("a:\n\tb: c\n", [("TL001", 2, 1)]),
        ("a: - b\n", [("TL001", 1, 4)]),
        ("a: @b\n", [("TL001", 1, 4)]),
        ("a: `b`\n", [("TL001", 1, 4)]),
        ("%b\n", [("TL001", 1, 3)]),
        ('a: "\\ud800"\n', [("TL001", 1, 7)]),
        ('a: "\\q"\n', [("TL001", 1, 5)]),
        ("a: b\n---\nc: d\n", [("TL001", 2, 1)]),
        ("? [a]\n: b\n", [("TL001", 1, 3)]),
        ("say: {{ slots.x }}\n", [("TL001", 1, 7)]),
        ("say: {{ slots.x }} hello\n", [("TL001", 1, 7)]),
        # TL002
        ("a: 1\nb: 2\na: 3\na: 4\n", [("TL002", 3, 1), ("TL002", 4, 1)]),
        ("9: a\n'9': b\n", [("TL002", 2, 1)]),
        # TL003
        ("a: &x 1\nb: *x\nc: *x\n", [("TL003", 1, 4), ("TL003", 2, 4)]),
        ("a: &x [*x]\n", [("TL003", 1, 4), ("TL003", 1, 8)]),
        ("<<: {a: 1}\n", [("TL003", 1, 1)]),
        ("if: !facts.x\n", [("TL003", 1, 5)]),
        ("if: !facts.x && facts.y\n", [("TL003", 1, 5)]),
        ("e: [{to: a, if: !facts.x}]\n", [("TL003", 1, 17)]),
        ("a: *bold* words\n", [("TL003", 1, 4)]),
        ("a: !!str 5\n", [("TL003", 1, 4)]),
        ("a: !b!c d\n", [("TL003", 1, 4)]),
        ("*a : b\n", [("TL003", 1, 1)]),
        # TL004, keys too
        ("a: 21:00\nno: 0205550143\n", [("TL004", 1, 4), ("TL004", 2, 1), ("TL004", 2, 5)]),
        ("null: a\n1.5: b\n", [("TL004", 1, 1), ("TL004", 2, 1)]),
        # Everything at once, up to the place where nothing can be read any more.
        (
            "a: no\na: &x b\nc: [\n",
            [("TL004", 1, 4), ("TL002", 2, 1), ("TL003", 2, 4), ("TL001", 3, 5)],
        ),
    ],
)
def test_reading_errors(read: Read, text: str, told: list[tuple[str, int, int]]) -> None:
    assert _told(read, text) == told


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xef\xbb\xbfa: b\n", "begins with a byte-order mark"),
        ("a: b\ufeffc\n", "a byte-order mark in the middle"),
        ("a: b\n".encode("utf-16"), "is UTF-16 or UTF-32"),
        ("a: b\n".encode("utf-16-le"), "is UTF-16 or UTF-32"),
        ("a: b\n".encode("utf-32"), "is UTF-16 or UTF-32"),
        (b"a: caf\xe9\n", "is not UTF-8"),
        (b"a: \xed\xa0\x80\n", "is not UTF-8"),
        (b'a: "b\x00c"\n', "a control character (U+0000)"),
        ("a: b\u2028c: d\n", "a line separator that editors do not show (U+2028)"),
        ("a: b\x85c: d\n", "a line separator that editors do not show (U+0085)"),
        (b"a: \x1b[31m\n", "a control character (U+001B)"),
        (b"a" * (1024 * 1024 + 1), "is too large"),
        ("[" * 99 + "[[" + "]" * 101, "is too deep"),
    ],
)
def test_files_that_are_no_utf_8_yaml(read: Read, content: str | bytes, message: str) -> None:
    document, findings = read(content)
    assert document is None
    assert [finding.code for finding in findings] == ["TL001"]
    assert message in findings[0].message


def test_a_hundred_levels_are_deep_enough(read: Read) -> None:
    data = _document(read, "[" * 100 + "]" * 100).data
    for _ in range(99):
        data = data[0]
    assert data == []


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("if: !facts.x\n", '"!facts.x"'),
        ('if: !slots.x == "a"\n', "'!slots.x == \"a\"'"),
        ("if: !facts.x && facts.y\n", '"!facts.x && facts.y"'),
        ("e: [{to: a, if: !facts.x && facts.y}]\n", '"!facts.x && facts.y"'),
        ("e: {if: !facts.x && facts.y, to: b}\n", '"!facts.x && facts.y"'),
        ("say: {{ slots.x }} hello\n", '"{{ slots.x }} hello"'),
        ("a: 21:00\n", '"21:00"'),
        ("a: no\n", '"no"'),
        ("a: @b c\n", '"@b c"'),
    ],
)
def test_the_help_shows_the_spelling_in_quotes(read: Read, text: str, help: str) -> None:
    _, findings = read(text)
    assert [help in finding.help for finding in findings] == [True]


def test_a_file_full_of_faults_tells_the_first_two_hundred(read: Read) -> None:
    _, findings = read("- no\n" * 5000)
    assert len(findings) == 201
    assert "the rest of the file was not read" in findings[-1].message
