"""The rehearsal of a release: what would fail in a call fails before one depends on it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shop import ENTRY, new_shop

from trunkline_runtime.call.rehearsal import Rehearsal
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.release.load import load_release
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.opened import tags
from trunkline_runtime.table.node_table import NodeTable


@pytest.fixture
def release(tmp_path: Path) -> Release:
    shop = new_shop(tmp_path)
    shop.publish()
    ((tag, named),) = tags(shop.source, "acme").items()
    return load_release(shop.source, "acme", tag, named)


def with_node(release: Release, **parts: Any) -> Release:
    """The release with its talk node changed."""
    document: Mapping[str, Any] = release.tables["bill"].document
    hello = {**document["nodes"]["hello"], **parts}
    changed = {**document, "nodes": {**document["nodes"], "hello": hello}}
    return replace(release, tables={"bill": NodeTable.from_json(changed)})


def with_entry(release: Release, **parts: Any) -> Release:
    entry = ToolEntry.from_document(ENTRY.connection, {**ENTRY.document, **parts})
    return replace(release, entries={entry.id: entry})


def test_a_sound_release_passes_and_is_not_rehearsed_twice(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    rehearse = Rehearsal()
    assert list(rehearse(release)) == []
    monkeypatch.setattr("trunkline_runtime.call.rehearsal._flow", lambda *_: ["built again"])
    assert list(rehearse(release)) == []
    assert list(Rehearsal()(release)) == ["built again"]


def test_an_expression_that_does_not_compile(release: Release) -> None:
    broken = with_node(release, edges=[{"to": "bye", "if": "slots.no_such > 0.0"}])
    (fault,) = Rehearsal()(broken)
    assert "acme/bill cannot run: `slots.no_such > 0.0` is not usable here" in fault


@pytest.mark.parametrize(
    "spoil",
    [
        lambda release: with_node(release, collect=["no_such_slot"]),
        lambda release: with_node(release, tools=[{"id": "no_such_tool"}]),
    ],
)
def test_an_agent_that_can_not_be_built(
    release: Release, spoil: Callable[[Release], Release]
) -> None:
    (fault,) = Rehearsal()(spoil(release))
    assert fault.startswith("flow bill: the agent of node hello can't be built: ")


def test_a_python_tool_that_is_not_installed(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUNKLINE_PYTHON_TOOLS", "json,nowhere")
    sound = with_entry(release, run={"python": "json:dumps"})
    assert [fault for fault in Rehearsal()(sound) if "get_invoice" in fault] == []
    for names in ("json:no_such", "nowhere:tool", "os:system"):
        faults = list(Rehearsal()(with_entry(release, run={"python": names})))
        assert f"the tool get_invoice names {names}: " in faults[0]
