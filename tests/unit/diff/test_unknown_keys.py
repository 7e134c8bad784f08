"""Keys that later versions may bring: told as changed, never passed over."""

from dataclasses import replace
from typing import Any

import pytest

from trunkline.diff.change import Change
from trunkline.diff.compare import compare
from trunkline.diff.snapshot import Snapshot
from trunkline_runtime.catalogue.entry import ToolEntry

BYE = {"kind": "end", "outcome": "paid"}
TABLE = {"start": "bye", "language": "en", "nodes": {"bye": BYE}}
TOOL = {
    **{"id": "look", "description": "Look.", "parameters": {"type": "object"}},
    **{"result": {"type": "object"}, "run": {"python": "a:b"}},
}
BASE = Snapshot(
    tables={("acme", "call"): TABLE},
    entries={"look": ToolEntry.from_document("crm", TOOL)},
    documents={"flows/acme/tenant.yaml": {"id": "acme"}, "policy/later.yaml": {"rules": []}},
)


def document(path: str, data: dict[str, Any]) -> Snapshot:
    return replace(BASE, documents={**BASE.documents, path: data})


@pytest.mark.parametrize(
    ("head", "kind", "level"),
    [
        (
            replace(BASE, tables={("acme", "call"): {**TABLE, "later": 1}}),
            "flow-setting-changed",
            "info",
        ),
        (
            replace(
                BASE,
                tables={
                    ("acme", "call"): {
                        **TABLE,
                        "nodes": {"bye": {**BYE, "later": 1}},
                    }
                },
            ),
            "node-setting-changed",
            "info",
        ),
        (
            replace(BASE, entries={"look": ToolEntry.from_document("crm", {**TOOL, "later": 1})}),
            "entry-setting-changed",
            "info",
        ),
        (
            document("flows/acme/tenant.yaml", {"id": "acme", "later": 1}),
            "tenant-setting-changed",
            "info",
        ),
        # What a document decides is not known, so it may loosen something.
        (document("policy/later.yaml", {"rules": [1]}), "document-changed", "breaking"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_is_told(head: Snapshot, kind: str, level: str) -> None:
    for changes in (compare(BASE, head), compare(head, BASE)):
        assert [told(change) for change in changes] == [(kind, level)]


def told(change: Change) -> tuple[str, str]:
    return change.kind, change.level.word
