"""Of six hundred tools a tenant sees its sixty, and a model those of them that the words need."""

from pathlib import Path
from typing import Any

import pytest

from trunkline.draft.compiling import Workbench
from trunkline.draft.tool_choice import needed_tools
from trunkline.draft.vocabulary import vocabulary
from trunkline_runtime.catalogue.entry import ToolEntry


def _tool(id: str, description: str, connection: str = "crm", **more: Any) -> ToolEntry:
    document = {
        "id": id,
        "description": description,
        "parameters": {"type": "object"},
        "result": {"type": "object"},
        "effects": [],
        "run": {},
        **more,
    }
    return ToolEntry.from_document(connection, document)


@pytest.fixture
def sixty() -> list[ToolEntry]:
    filler = [
        _tool(f"list_report_{n:02}", f"Report number {n} of the warehouse") for n in range(57)
    ]
    return [
        *filler,
        _tool("move_visit", "Reschedule a visit of the technician", effects=["writes"]),
        _tool("charge", "Charge a card", effects=["payment"]),
        _tool("prove", "Compare a name", establishes={"identity_verified": "true"}),
    ]


def test_all_are_offered_while_they_are_few(sixty: list[ToolEntry]) -> None:
    assert needed_tools(sixty, "anything", {}, 60) == sixty


def test_the_words_decide(sixty: list[ToolEntry]) -> None:
    chosen = needed_tools(sixty, "Offer to reschedule when the technician cannot come", {}, 1)
    assert [tool.id for tool in chosen] == ["move_visit"]


def test_what_proves_a_fact_comes_with_the_tool_that_needs_it(sixty: list[ToolEntry]) -> None:
    required = {"payment": ["identity_verified"]}
    chosen = needed_tools(sixty, "Let them pay by card: charge it", required, 2)
    assert [tool.id for tool in chosen] == ["charge", "prove"]


def test_only_what_the_tenant_has_connected_and_what_is_left_out_is_said(repository: Path) -> None:
    tenant = repository / "flows/meridian/tenant.yaml"
    kept = [line for line in tenant.read_text().splitlines() if "  claims:" not in line]
    tenant.write_text("\n".join(kept) + "\n")
    known = Workbench(repository, "flows/meridian/x.yaml").repository
    words = vocabulary(known, "meridian", "Reserve a table for guests", most_tools=2)
    assert [tool.id for tool in words.tools] == ["find_table", "reserve_table"]
    assert "open_claim" not in words.left_out  # not its own, so it was not left out
    everything = vocabulary(known, "meridian", "")
    assert {*words.left_out, "find_table", "reserve_table"} == {e.id for e in everything.tools}
