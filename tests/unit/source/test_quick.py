"""The quick check says what jsonschema says, for files that fit and for files that do not."""

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.source import Document, read_repository
from trunkline.source.layout import KINDS
from trunkline_runtime.schema import validator
from trunkline_runtime.schema.accepting import accepts

_TOP = Path(__file__).parents[3]
_DOCUMENTS = [
    document
    for repository in (_TOP, _TOP / "tests/examples/cases/base")
    for document in read_repository(repository).documents.values()
    if accepts(document.kind) is not None
]
_VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 2.0, 0.5, 10**6, "", "a", "slots.x", "flows", "+12025550143"),
    *("09:00-17:00", "21:00", "end", "route", "talk", "subflow", "text", "choice", "en-US"),
    *([], [1], ["a"], [[]], {}, {"to": "a"}, {"kind": "end"}, {"id": "a"}, {"by": "slots.x"}),
]
_KEYS = ["a", "9", "a b", "to", "kind", "edges", "if", "use", "exits", "default", "type", "choices"]


def _spots(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    spots: list[tuple[Any, Any]] = []
    for key, inner in list(items):
        spots.append((value, key))
        if isinstance(inner, dict | list):
            spots += _spots(inner)
    return spots


def _changed(data: Any, draw: st.DataObject) -> Any:
    changed = copy.deepcopy(data)
    for _ in range(draw.draw(st.integers(1, 2))):
        spots = _spots(changed)
        value = copy.deepcopy(draw.draw(st.sampled_from(_VALUES)))
        if not spots:
            break
        container, key = draw.draw(st.sampled_from(spots))
        how = draw.draw(st.sampled_from(["replace", "delete", "add"]))
        if how == "delete":
            del container[key]
        elif how == "add" and isinstance(container, dict):
            container[draw.draw(st.sampled_from(_KEYS))] = value
        else:
            container[key] = value
    return changed


def test_every_kind_but_the_tool_has_a_accepts() -> None:
    """A tool's schema refers to draft-07 itself, which only jsonschema can judge."""
    assert [kind for kind in KINDS if accepts(kind) is None] == ["tool"]


@pytest.mark.parametrize("document", _DOCUMENTS, ids=lambda document: document.path)
def test_it_accepts_what_is_shipped(document: Document) -> None:
    quick = accepts(document.kind)
    assert quick is not None
    assert quick(document.data)


@settings(max_examples=600, deadline=None)
@given(st.data())
def test_it_agrees_with_jsonschema_on_changed_documents(data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(_DOCUMENTS))
    changed = _changed(document.data, data)
    quick = accepts(document.kind)
    assert quick is not None
    assert quick(changed) == validator(document.kind).is_valid(changed)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([kind for kind in KINDS if kind != "tool"]), st.sampled_from(_VALUES))
def test_it_agrees_with_jsonschema_on_anything(kind: str, value: Any) -> None:
    quick = accepts(kind)
    assert quick is not None
    assert quick(value) == validator(kind).is_valid(value)
