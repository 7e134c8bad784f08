"""Changes one node in the text of a flow: what stays the same keeps its comments and its layout.

Edits are made on the exact places that the reader remembers, and proven afterwards: the new text
is read, and must say what it was meant to say, and everywhere else what it said before.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from trunkline.draft.text_places import Edit, TextPlaces
from trunkline.source import Document
from trunkline.source.document import Step
from trunkline.source.reader import read_document

Path: TypeAlias = tuple[Step, ...]


def with_node(document: Document, node: str, written: Mapping[str, Any]) -> str:
    """The text of the flow with `node` saying `written`, and every other line as it was."""
    expected = {**document.data, "nodes": {**document.data["nodes"], node: dict(written)}}
    places, path = TextPlaces(document), ("nodes", node)
    before = document.data["nodes"][node]
    if before == written:
        return document.text
    gentle = list(_changes(places, path, before, dict(written)))
    for edits in (gentle, [places.replaced_pair(path, dict(written))]):
        text = places.applied(edits)
        read, _ = read_document(document.path, document.kind, text.encode("utf-8"))
        if read is not None and read.data == expected:
            return text
    raise AssertionError(f"the node {node} cannot be written back")


def _changes(places: TextPlaces, path: Path, old: Any, new: Any) -> Iterator[Edit]:
    """The smallest edits that make the value at `path` say `new`."""
    if old == new and type(old) is type(new):
        return
    in_block = not places.is_flow(path)
    if isinstance(old, dict) and isinstance(new, dict) and old and new and in_block:
        yield from _mapping(places, path, old, new)
    elif isinstance(old, list) and isinstance(new, list) and old and new and in_block:
        yield from _list(places, path, old, new)
    elif isinstance(path[-1], int):
        yield places.replaced_item(path, new)
    else:
        yield places.replaced_pair(path, new)


def _mapping(
    places: TextPlaces, path: Path, old: Mapping[str, Any], new: Mapping[str, Any]
) -> Iterator[Edit]:
    if isinstance(path[-1], int) and next(iter(old)) not in new:
        # The first key stands behind the dash of its item: the two go together.
        yield places.replaced_item(path, new)
        return
    for key, value in old.items():
        if key not in new:
            yield places.removed_pair((*path, key))
        else:
            yield from _changes(places, (*path, key), value, new[key])
    last = list(old)[-1]
    for key, value in new.items():
        if key not in old:
            yield places.added_pair((*path, last), key, value)


def _list(places: TextPlaces, path: Path, old: Sequence[Any], new: Sequence[Any]) -> Iterator[Edit]:
    before, after = [_key(each) for each in old], [_key(each) for each in new]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        shared = min(i2 - i1, j2 - j1)
        for offset in range(shared):
            yield from _changes(places, (*path, i1 + offset), old[i1 + offset], new[j1 + offset])
        for index in range(i1 + shared, i2):
            yield places.removed_item((*path, index))
        for value in new[j1 + shared : j2]:
            yield places.added_item(path, i1 + shared, value)


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
