"""A real constrained-decoding server on loopback: every answer fits, and no tool is invented.

llama.cpp with a model of 135M parameters; `make model` installs both. What it says is next to
random, so what holds here holds because of the schema.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from trunkline.draft.asking import Asking
from trunkline.draft.assemble import flow_document
from trunkline.draft.compiling import Workbench
from trunkline.draft.plan_schema import plan_schema
from trunkline.draft.schema_parts import Limits
from trunkline.draft.server import Address, OpenAiServer
from trunkline.draft.spelling import spell
from trunkline.draft.steps_schema import steps_schema
from trunkline.draft.vocabulary import Vocabulary, vocabulary
from trunkline.source.reader import read_document

sys.path.insert(0, str(Path(__file__).parents[1] / "evaluation"))
# Small, because two processors share everything: what is enforced does not depend on counts.
LIMITS = Limits(steps=2, data=0, edges=1, tools=1, gaps=0, text=8, expression=8)
RUNS = 10


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    from constrained_server import constrained_server, is_installed

    assert is_installed(), "the server is not installed: run `make model`"
    with constrained_server(context=2048) as address:
        yield address


@pytest.fixture(scope="module")
def words() -> Vocabulary:
    root = Path(__file__).parents[1] / "examples/cases/base"
    return vocabulary(Workbench(root, "flows/acme/x.yaml").repository, "acme", "")


@pytest.fixture
def asking(url: str) -> Asking:
    return Asking(OpenAiServer(Address(url, "none")), max_tokens=600)


def _asked(words: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": words}]


def test_a_plan_and_steps_are_valid(asking: Asking, words: Vocabulary) -> None:
    message = _asked("Plan a telephone call: a reminder.")
    plan = asking.ask(message, "plan", plan_schema(words, LIMITS))
    # Steps for two of our own, so that the time it takes does not depend on what it has planned.
    named = [{"name": "hello", "kind": "talk"}, {"name": "bye", "kind": "end"}]
    short = {**plan, "slots": [], "inputs": [], "tools": [], "steps": named}
    steps = asking.ask(message, "steps", steps_schema(short, words, LIMITS))
    assert (asking.spent.requests, asking.spent.unusable) == (2, [])
    document = flow_document("x", short, steps, words)
    assert read_document("x.yaml", "flow", spell(document).encode())[1] == []


def test_ten_runs_all_valid_and_no_tool_invented(asking: Asking, words: Vocabulary) -> None:
    from naming import tools_named

    named = {tool for run in range(RUNS) for tool in tools_named(asking, words, run)}
    assert (asking.spent.requests, asking.spent.unusable) == (RUNS, [])
    assert named
    assert named <= {tool.id for tool in words.tools}
