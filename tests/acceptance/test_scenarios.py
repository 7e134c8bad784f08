"""The first scenarios of each starter tenant, played by the real command on a published release.

`trunkline test` plays all of them, on the working tree; here the road from the store is tried.

The whole expectation counts: the nodes passed, the outcome, every tool with its arguments, refused
moves, facts, slots, and what was said or never said.
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.commands.main import run as trunkline
from trunkline_runtime.call.masking import MASK
from trunkline_runtime.commands.main import run

ROOT = Path(__file__).parents[2]


def scenarios() -> Iterator[Any]:
    for path in sorted((ROOT / "flows").glob("*/scenarios/*.yaml")):
        name = f"{path.parts[-3]}/{path.stem}"
        for scenario in yaml.safe_load(path.read_text())["scenarios"][:4]:
            yield pytest.param(name, path, scenario, id=f"{name}: {scenario['label']}")


@pytest.fixture(scope="session")
def store() -> Iterator[Path]:
    # A copy outside any git repository, so that nothing is tagged.
    with tempfile.TemporaryDirectory() as folder:
        copy, store = Path(folder) / "sources", Path(folder) / "store"
        for name in ("flows", "catalog", "policy"):
            shutil.copytree(ROOT / name, copy / name)
        assert trunkline(["-C", str(copy), "publish", "--to", str(store)]) == 0
        yield store


@pytest.mark.parametrize(("name", "path", "scenario"), list(scenarios()))
def test_a_scenario(
    name: str,
    path: Path,
    scenario: Mapping[str, Any],
    store: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TRUNKLINE_STATE_DIR", raising=False)
    expected = scenario["expect"]
    command = ["call", name, "--from", str(store), "--sandbox", "--script", str(path)]
    command += ["--scenario", scenario["label"]]
    assert run([*command, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [step["node"] for step in record["path"] if step["node"]] == expected["nodes"]
    assert record["outcome"] == expected["outcome"]
    assert [refusal["to"] for refusal in record["refused"]] == expected.get("refused", [])
    if "facts" in expected:
        assert set(record["facts"]) == set(expected["facts"])
    for slot, value in expected.get("slots", {}).items():
        assert shown(record["slots"].get(slot)) in (value, MASK if value is not None else None)
    if "tools" in expected:
        reached = [tool for tool in record["tools"] if tool["outcome"] != "refused"]
        assert [tool["tool"] for tool in reached] == [tool["tool"] for tool in expected["tools"]]
        for tool, wanted in zip(reached, expected["tools"], strict=True):
            if "args" not in wanted:
                continue
            assert set(tool["args"]) == set(wanted["args"])
            for argument, value in wanted["args"].items():
                assert same(tool["args"][argument], value)
    assert run(command) == 0
    printed = capsys.readouterr().out
    heard = [line[10:] for line in printed.splitlines() if line[:10].strip() in ("agent", "human")]
    for words in expected.get("said", ()):
        assert any(words in line for line in heard)
    for words in expected.get("never_said", ()):
        assert not any(words in line for line in heard)
    # A link leads on to another flow of the tenant.
    ended = f"{name.partition('/')[0]}/{record['path'][-1]['flow']}"
    assert f"pinned to  {ended} v1 {record['pin']['table']}" in printed


def shown(slot: Mapping[str, Any] | None) -> Any:
    return None if slot is None else slot["value"]


def same(recorded: Any, expected: Any) -> bool:
    """Whether a record shows this value, as far as it may: what is private is blacked out."""
    if recorded in (expected, MASK):
        return True
    if not isinstance(recorded, str) or MASK not in recorded:
        return False
    start, _, end = recorded.partition(MASK)
    return str(expected).startswith(start) and str(expected).endswith(end)
