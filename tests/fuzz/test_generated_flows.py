"""Flows by a grammar: what `check` accepts compiles, ends, and pays for nobody unproven."""

import os
from typing import Any

from files_tree import compiled
from grammar import flows
from hypothesis import HealthCheck, event, given, settings
from walks import KEY, walks_over

from trunkline_runtime.table.node_table import NodeTable

EXAMPLES = int(os.environ.get("TRUNKLINE_SOAK_EXAMPLES", "120"))
WALKS = 12


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(flow=flows())
def test_what_is_accepted_compiles_ends_and_pays_for_nobody_unproven(flow: dict[str, Any]) -> None:
    found = compiled(flow)
    errors = [finding for finding in found.findings if finding.severity == "error"]
    event(f"accepted: {not errors}")
    assert (KEY in found.tables) == (not errors)
    if errors:
        return
    NodeTable.from_json(found.tables[KEY])
    walks = walks_over(found, len(str(flow)), WALKS)
    assert all(walk.over for walk in walks)
    paid = any(tool == "take_payment" for walk in walks for _, tool in walk.ran)
    event(f"paid: {paid}")
