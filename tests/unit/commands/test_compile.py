"""`trunkline compile`: tables and digests of clean repositories, findings and nothing of others."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline_runtime.table.node_table import NodeTable

Ran = tuple[int, str, str]
Command = Callable[..., Ran]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


def test_tables_and_digests(
    trunkline: Command, put: Callable[[str], Path], repository: Path, out: Path
) -> None:
    put("graph/good")
    code, told, _ = trunkline("compile", "--out", str(out))
    table = NodeTable.from_json(json.loads((out / "acme/good.json").read_bytes()))
    assert (code, told) == (0, f"acme/good  4 nodes  {table.digest}\n")
    assert (out / "acme/good.json").read_bytes() == table.canonical
    assert [path.name for path in (out / "acme").iterdir()] == ["good.json"]
    code, told, _ = trunkline("compile", "--format", "json")
    assert (code, json.loads(told)) == (
        0,
        {
            "version": 1,
            "flows": [{"tenant": "acme", "flow": "good", "nodes": 4, "digest": table.digest}],
        },
    )


def test_nothing_is_written_if_any_flow_has_an_error(
    trunkline: Command, put: Callable[[str], Path], out: Path
) -> None:
    put("graph/good")
    put("graph/skip-verification")
    code, told, noted = trunkline("compile", "--out", str(out), "--format", "json")
    assert code == 1
    assert [finding["code"] for finding in json.loads(told)["findings"]] == ["TL401"]
    assert noted == "trunkline: nothing was compiled: mend the errors first\n"
    assert not out.exists()


def test_without_a_flow_there_is_nothing_to_compile(trunkline: Command) -> None:
    code, told, noted = trunkline("compile")
    assert (code, told) == (2, "")
    assert noted.endswith("there is nothing to compile: flows/ holds no flow of a tenant\n")


def test_a_folder_that_cannot_be_written(
    trunkline: Command, put: Callable[[str], Path], out: Path
) -> None:
    put("graph/good")
    out.write_text("a file")
    code, told, noted = trunkline("compile", "--out", str(out))
    assert (code, told) == (2, "")
    assert noted.startswith(f"trunkline: {out / 'acme/good.json'} can't be written: ")
    assert noted.count("\n") == 1
