"""Why none of livekit-agents' own tasks is used: the reasons of docs/calls.md, on the real ones."""

import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

from livekit.agents import Agent, AgentSession, RunContext, function_tool, llm
from livekit.agents.beta.workflows import GetEmailTask, GetNameTask, TaskGroup, credit_card

import trunkline_runtime
from trunkline_runtime.script.model import Generation, ScriptedModel


class Listed(ScriptedModel):
    """Keeps the names of all tools that it was offered."""

    def __init__(self, generations: list[Generation]) -> None:
        super().__init__(generations)
        self.offered: list[set[str]] = []

    def chat(self, **options: Any) -> llm.LLMStream:
        self.offered.append({tool.info.name for tool in options.get("tools") or ()})
        return super().chat(**options)


class Host(Agent):
    """A node with an exit, which lets tasks ask for a name and an e-mail address."""

    def __init__(self) -> None:
        super().__init__(instructions="Host.")
        self.moved: list[str] = []

    @function_tool
    async def move_to(self, to: str) -> str:
        """Leave this step."""
        self.moved.append(to)
        return "Moved."

    @function_tool
    async def ask(self, context: RunContext[Any]) -> str:
        """Ask for the details."""
        group = TaskGroup()
        group.add(GetNameTask, id="name", description="The name")
        group.add(GetEmailTask, id="email", description="The e-mail address")
        await group
        return "Done."


async def test_while_a_task_asks_the_exits_of_the_node_do_not_exist() -> None:
    """And one value is asked for at a time: the caller gives two, the second cannot be taken."""
    model = Listed(
        [
            Generation("", (("ask", {}),)),
            Generation("Your name, please?"),
            Generation("Your name, please?"),
        ]
    )
    async with AgentSession[None](llm=model) as session:
        host = Host()
        await session.start(host)
        asking = asyncio.ensure_future(session.run(user_input="Jane, and jane@example.com."))
        for _ in range(500):
            if len(model.offered) > 1:
                break
            await asyncio.sleep(0.01)
        outside, inside = model.offered[0], model.offered[1]
        assert {"move_to", "ask"} <= outside
        assert not {"move_to", "ask"} & inside
        assert any("name" in tool for tool in inside)
        assert not any("email" in tool for tool in inside)
        assert host.moved == []
        asking.cancel()


def test_the_card_task_hands_the_number_and_its_code_to_the_model() -> None:
    """They are arguments of the tools that its tasks build for the model."""
    source = inspect.getsource(credit_card)
    for argument in ("card_number", "security_code"):
        built = rf"async def update_{argument}\(\s*context: RunContext, {argument}: str\s*\)"
        assert re.search(built, source), argument


def test_nothing_of_the_runtime_uses_them() -> None:
    for module in Path(trunkline_runtime.__file__).parent.glob("**/*.py"):
        text = module.read_text(encoding="utf-8")
        assert "beta.workflows" not in text, module
        assert not re.search(r"^(?:from|import) .*AgentTask", text, re.MULTILINE), module
