"""Python tools: what may run, how, and what the model hears when it does not."""

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.tools.python import PythonRunner, allowed_modules
from trunkline_runtime.tools.runner import ToolContext, ToolFailed

SOURCE = """
import threading
from trunkline_runtime.tools.runner import ToolFailed

NOT_A_FUNCTION = 3

def add(a, b):
    return {"sum": a + b, "thread": threading.current_thread().name}

async def slow_add(a, b):
    return {"sum": a + b}

def quotes(secret):
    raise ValueError(f"cannot use {secret}")

def gives_up():
    raise ToolFailed("There is nobody of that name.")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "our_tools").mkdir()
    (tmp_path / "our_tools" / "sums.py").write_text(SOURCE)
    (tmp_path / "our_tools_evil.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    yield
    for name in ("our_tools", "our_tools.sums"):
        sys.modules.pop(name, None)


@pytest.fixture
def entry(catalogue: Mapping[str, ToolEntry]) -> Callable[[str], ToolEntry]:
    def of(function: str) -> ToolEntry:
        document = {**catalogue["send_sms"].document, "run": {"python": function}}
        return ToolEntry.from_document("messaging", document)

    return of


@pytest.mark.usefixtures("module")
async def test_a_function_runs_beside_the_loop(
    entry: Callable[[str], ToolEntry], context: Callable[..., ToolContext]
) -> None:
    runner = PythonRunner(allowed=("our_tools",))
    result = await runner.run(entry("our_tools.sums:add"), {"a": 1, "b": 2}, context())
    assert isinstance(result, dict)
    assert result["sum"] == 3
    assert result["thread"] != threading.main_thread().name


@pytest.mark.usefixtures("module")
async def test_an_async_function_runs_in_the_loop_and_can_be_cancelled(
    entry: Callable[[str], ToolEntry], context: Callable[..., ToolContext]
) -> None:
    runner = PythonRunner(allowed=("our_tools.sums",))
    run = runner.run(entry("our_tools.sums:slow_add"), {"a": 1, "b": 2}, context())
    assert await asyncio.wait_for(run, 1) == {"sum": 3}


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("function", "args", "words"),
    [
        (
            "our_tools.sums:quotes",
            {"secret": "hunter2"},
            "The tool failed. It may have gone through all the same, so do not try it again.",
        ),
        ("our_tools.sums:gives_up", {}, "There is nobody of that name."),
        ("our_tools.sums:missing", {}, "This tool is not installed here."),
        ("our_tools.sums:NOT_A_FUNCTION", {}, "This tool is not installed here."),
        ("our_tools.other:add", {}, "This tool is not installed here."),
        ("our_tools_evil:add", {}, "This tool is not allowed to run here."),
        ("os:system", {"command": "true"}, "This tool is not allowed to run here."),
    ],
)
async def test_what_does_not_run(
    entry: Callable[[str], ToolEntry],
    context: Callable[..., ToolContext],
    function: str,
    args: dict[str, str],
    words: str,
) -> None:
    with pytest.raises(ToolFailed) as raised:
        await PythonRunner(allowed=("our_tools",)).run(entry(function), args, context())
    assert raised.value.message_for_model == words


def test_the_allowed_packages_come_from_the_environment() -> None:
    assert allowed_modules({}) == ("trunkline_tools",)
    assert allowed_modules({"TRUNKLINE_PYTHON_TOOLS": "a.b, c"}) == ("a.b", "c")
    assert allowed_modules({"TRUNKLINE_PYTHON_TOOLS": ""}) == ()
