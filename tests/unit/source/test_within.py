"""Where a character of a text stands in its file, in every style that YAML has."""

import pytest
import yaml

from trunkline.finding import Mark
from trunkline.source.within import line_and_column

STYLES = {
    "plain": "slots.name == 'x' && b",
    "plain, on several lines": "slots.name\n    ==\n\n    'x' && b",
    "single": "'slots.name == ''x'' && \"b\"'",
    "single, on several lines": "'slots.name ==\n    ''x''\n\n    && b'",
    "double": '"slots.name == \\"x\\" && \\u0062\\x62\\\\"',
    "double, on several lines": '"slots.name == \\\n    \\"x\\"\n    &&\tb"',
    "literal": "|\n    slots.name ==\n      'x'\n    && b\n",
    "folded": ">-\n    slots.name ==\n\n    'x'\n    && b\n",
    "an indent of its own": "|2-\n      slots.name\n    == b\n",
    "wide signs": "'slots.näme == \"\U0001f600\" && b'",
}


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_sign_is_found(style: str, line_end: str) -> None:
    source = f"a: 1\nif: {STYLES[style]}\nz: 1\n".replace("\n", line_end)
    root = yaml.compose(source, yaml.CSafeLoader)
    (node,) = [value for key, value in root.value if key.value == "if"]
    start, end = node.start_mark, node.end_mark
    mark = Mark(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
    lines = source.split(line_end)
    found = [
        (character, line_and_column(source, mark, node.value, index))
        for index, character in enumerate(node.value)
        if not character.isspace()
    ]
    places = [place for _, place in found]
    assert None not in places
    assert places == sorted(set(places)), "each further on than the one before"
    for character, (line, column) in found:
        there = lines[line - 1][column - 1]
        assert there in (character, "\\")


def test_a_text_that_was_made_otherwise_is_not_found() -> None:
    assert line_and_column("if: abc\n", Mark(1, 5, 1, 8), "abd", 2) is None
