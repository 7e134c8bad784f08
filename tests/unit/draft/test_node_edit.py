"""One node changes; every comment, blank line and spelling of the rest of the file stays."""

import copy
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trunkline.draft.node_edit import with_node
from trunkline.source import Document
from trunkline.source.reader import read_document

FLOWS = sorted((Path(__file__).parents[3] / "flows").glob("*/*.yaml"))

TEXT = """\
# the head
nodes:   # all of them
  a:     # the first
    say: Hello.   # words
    instructions: >-
      Be kind,
      and brief.

    # what it takes
    collect: [name]   # only this
    edges:
      # onward
      - to: b   # to b
        when: yes please
      # away
      - {to: c, when: never}

  # the second
  b: {kind: end, say: "Bye.", outcome: done}
  c:
    kind: end
    outcome: done
# the foot
"""


def _document(text: str) -> Document:
    document, findings = read_document("f.yaml", "flow", text.encode())
    assert findings == []
    assert document is not None
    return document


def _changed(node: str, change: Callable[[Any], object]) -> str:
    document = _document(TEXT)
    new = copy.deepcopy(document.data["nodes"][node])
    change(new)
    return with_node(document, node, new)


def _replaced(*pairs: tuple[str, str]) -> str:
    text = TEXT
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


CASES: list[tuple[str, Callable[[Any], object], list[tuple[str, str]]]] = [
    ("a", lambda n: n.update(say="Good day."), [("say: Hello.", "say: Good day.")]),
    ("a", lambda n: n.update(collect=["name", "age"]), [("[name]", "[name, age]")]),
    ("a", lambda n: n["edges"][0].update(to="c"), [("- to: b ", "- to: c ")]),
    (
        "a",
        lambda n: n["edges"][0].update({"if": "facts.x"}),
        [("when: yes please\n", "when: yes please\n        if: facts.x\n")],
    ),
    (
        "a",
        lambda n: n["edges"].insert(1, {"to": "b", "when": "they ask"}),
        [
            (
                "      - {to: c, when: never}\n",
                "      - to: b\n        when: they ask\n      - {to: c, when: never}\n",
            )
        ],
    ),
    ("a", lambda n: n["edges"].pop(), [("      - {to: c, when: never}\n", "")]),
    ("a", lambda n: n.pop("collect"), [("    collect: [name]   # only this\n", "")]),
    (
        "a",
        lambda n: n.update(tools=["look_up"]),
        [("when: never}\n", "when: never}\n    tools: [look_up]\n")],
    ),
    (
        "a",
        lambda n: n.update(instructions="Be brief."),
        [("instructions: >-\n      Be kind,\n      and brief.", "instructions: Be brief.")],
    ),
    (
        "b",
        lambda n: n.update(say="So long."),
        [
            (
                '  b: {kind: end, say: "Bye.", outcome: done}\n',
                "  b:\n    kind: end\n    say: So long.\n    outcome: done\n",
            )
        ],
    ),
    ("c", lambda n: n.update(say="Bye."), [("done\n# the", "done\n    say: Bye.\n# the")]),
]


@pytest.mark.parametrize(("node", "change", "pairs"), CASES)
def test_only_what_changes_is_written(
    node: str, change: Callable[[Any], object], pairs: list[tuple[str, str]]
) -> None:
    assert _changed(node, change) == _replaced(*pairs)


def test_nothing_changes_for_nothing() -> None:
    assert _changed("a", lambda _: None) == TEXT


def test_line_ends_stay(tmp_path: Path) -> None:
    document = _document(TEXT.replace("\n", "\r\n"))
    new = {**document.data["nodes"]["c"], "say": "Bye."}
    changed = with_node(document, "c", new)
    assert changed.replace("\r\n", "\n").count("\r") == 0
    assert changed.count("\n") == changed.count("\r\n") == TEXT.count("\n") + 1


def test_a_long_text_does_not_swallow_the_comment_behind_it() -> None:
    long = "word " * 40
    changed = _changed("a", lambda n: n.update(say=long.strip()))
    assert "# words" in changed
    assert _document(changed).data["nodes"]["a"]["say"] == long.strip()


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_any_change_of_a_real_flow_is_read_back_and_touches_nothing_else(path: Path) -> None:
    document = _document(path.read_text(encoding="utf-8"))
    chance = random.Random(7)
    for node, old in document.data.get("nodes", {}).items():
        for _ in range(4):
            new = _shaken(old, chance)
            changed = with_node(document, node, new)
            read = _document(changed)
            assert read.data["nodes"].pop(node) == new
            others = {**document.data["nodes"]}
            del others[node]
            assert read.data == {**document.data, "nodes": others}
            outside = _outside(document, node)
            assert changed.startswith(outside[0])
            assert changed.endswith(outside[1])


def _outside(document: Document, node: str) -> tuple[str, str]:
    """The lines before the node, and those that begin with the next one."""
    lines = document.text.splitlines(keepends=True)
    key, value = document.mark(("nodes", node), "key"), document.mark(("nodes", node))
    return "".join(lines[: key.line - 1]), "".join(lines[value.end_line :])


def _shaken(value: Any, chance: random.Random) -> Any:
    """The value with something in it added, taken away, or said in other words."""
    if isinstance(value, dict):
        shaken = {key: _shaken(each, chance) for key, each in value.items()}
        if len(shaken) > 1 and chance.random() < 0.2:
            del shaken[chance.choice(list(shaken))]
        if chance.random() < 0.2:
            shaken["added"] = chance.choice(["x", [], ["a", "b"], {"k": 1}, "no", "a: b # c"])
        return shaken
    if isinstance(value, list):
        shaken_items = [_shaken(each, chance) for each in value]
        if chance.random() < 0.2:
            shaken_items.insert(chance.randint(0, len(shaken_items)), {"to": "added"})
        if shaken_items and chance.random() < 0.2:
            shaken_items.pop(chance.randrange(len(shaken_items)))
        return shaken_items
    return f"{value} again" if isinstance(value, str) and chance.random() < 0.1 else value
