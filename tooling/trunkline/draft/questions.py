"""The questions that matter at a step, by what the step does."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline.model.flow import Flow
from trunkline.model.nodes import (
    TERMINALS,
    ConfirmNode,
    EndNode,
    Node,
    RouteNode,
    TalkNode,
    TransferNode,
)


@dataclass(frozen=True)
class Question:
    """`id` names it in an answers file; `node` is the step that it is about."""

    node: str
    id: str
    text: str


def questions_of(flow: Flow, node: str | None = None) -> tuple[Question, ...]:
    """The questions about each step of a flow, or about one, in the order of the file."""
    return tuple(
        Question(name, id, text)
        for name, each in flow.nodes.items()
        if node in (None, name)
        for id, text in _asked(flow, each)
    )


def _asked(flow: Flow, node: Node) -> Iterator[tuple[str, str]]:
    if isinstance(node, TalkNode):
        yield from _talk(flow, node)
    elif isinstance(node, ConfirmNode):
        yield "words", f"Are these the exact words: {' '.join(node.say.split())}"
        yield "refusal", f"What if they say no? (Now: {node.on_no})"
        yield "unclear", f"What if it is neither a yes nor a no? (Now: {node.on_unclear})"
    elif isinstance(node, RouteNode):
        yield "otherwise", "Where does the call go if no condition holds?"
    elif isinstance(node, TransferNode):
        yield "unreachable", f"What if nobody picks up? (Now: {node.on_failure})"
        yield "told", "What is the person told before they take the call?"
    elif isinstance(node, EndNode):
        yield "words", "What are the last words, and what must not be among them?"


def _talk(flow: Flow, node: TalkNode) -> Iterator[tuple[str, str]]:
    tools = ", ".join(use.id for use in node.tools)
    if node.id == flow.start or node.collect:
        yield "who", "Who may answer here, and what if it is somebody else?"
    if node.collect:
        slots = ", ".join(node.collect)
        yield "refusal", f"What if they refuse to give {slots}, or do not know?"
    elif node.edges:
        yield "refusal", "What if they refuse, or want something else?"
    if tools:
        yield "proof", f"What must be proven about the caller before {tools} may be used?"
        yield "failure", f"What if {tools} fails or does not answer?"
    yield "never", "What must never be said here?"
    onward = [edge for edge in node.edges if not isinstance(flow.nodes.get(edge.to), TERMINALS)]
    if node.id != flow.start and onward:
        yield "back", "How does the caller get back from here, to correct what they said?"
