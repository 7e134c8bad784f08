"""Of six hundred tools a tenant sees its sixty, and a model those of them that the words need."""

from pathlib import Path
from typing import Any

import pytest

from trunkline.draft.compiling import Workbench
from trunkline.draft.plan_schema import plan_schema
from trunkline.draft.schema_parts import Limits
from trunkline.draft.tool_choice import MOST_TOOLS, needed_tools
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


BULK = """schema_version: 1
id: {id}
description: {description}
parameters: {{type: object, additionalProperties: false, required: [], properties: {{}}}}
result: {{type: object, additionalProperties: false, required: [], properties: {{}}}}
effects: []
timeout_seconds: 5
run: {{http: {{method: GET, path: /{id}}}}}
"""


def test_of_six_hundred_in_the_catalogue_the_schema_names_what_is_connected_and_needed(
    repository: Path,
) -> None:
    tools, total = repository / "catalog/tools", 600
    own = len(list(tools.glob("*/*.yaml")))
    for number in range(total - own):
        connection = "warehouse" if number < 60 - own else f"system-{number % 9}"
        id = f"list_{connection.replace('-', '_')}_{number:03}"
        path = tools / connection / f"{id}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(BULK.format(id=id, description=f"Shelf number {number} of the stock"))
    tenant = repository / "flows/meridian/tenant.yaml"
    line = "  warehouse: {base_url_env: MERIDIAN_WAREHOUSE_URL}\n"
    tenant.write_text(tenant.read_text().replace("numbers:\n", line + "numbers:\n", 1))
    bench = Workbench(repository, "flows/meridian/x.yaml")
    assert len(bench.repository.catalogue.entries) == total
    words = vocabulary(bench.repository, "meridian", "Reserve a table for guests")
    assert len(words.tools) + len(words.left_out) == 60
    assert len(words.tools) == MOST_TOOLS
    offered = plan_schema(words, Limits())["properties"]["tools"]["items"]["enum"]
    assert {"find_table", "reserve_table"} <= set(offered) == {tool.id for tool in words.tools}
    assert not any("system_" in id for id in (*offered, *words.left_out))
