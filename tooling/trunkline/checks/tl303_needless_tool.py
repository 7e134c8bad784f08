"""TL303: a tool that nothing needs, or that is named where it is not granted (a warning).

Finds: a tool on a node that no instruction, exit, slot or fact needs: no text or `when` of the
node speaks of it, nothing reads what it fails with, sets, establishes or offers to choose from.
And an instruction with the id of a tool that its node does not grant. `after_call` is exempt.

On the phone: what the agent can do without being told to, it does at the wrong moment; what it is
told to do and cannot, it pretends to have done.

Fails:

    greeting:
      instructions: Ask what the caller needs.
      tools: [take_payment]

Passes:

    greeting:
      instructions: Ask what the caller needs.
"""

import re
from collections.abc import Iterator

from trunkline.checks.at import warning_at
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.inline import InlinedNode
from trunkline.model.nodes import TalkNode
from trunkline.model.tool_use import ToolUse

CODE = "TL303"
_WORD = re.compile(r"[a-z]+")
_STEM = 4  # so many letters say which word is meant: pay, payment, paying
_EMPTY = frozenset({"get", "set", "put", "the", "and", "for", "new", "all"})


def check(analysis: Analysis) -> Iterator[Finding]:
    """Tools that are granted for nothing, and tools that are spoken of and not granted."""
    needed = _facts_needed(analysis)
    chosen = {
        (slot.choices_from or "").split(".")[0] for slot in analysis.inlined.whole.slots.values()
    }
    for inner in analysis.inlined.nodes.values():
        if not isinstance(inner.node, TalkNode):
            continue
        for use in inner.node.tools:
            if use.id not in chosen and not _is_needed(analysis, inner.node, use, needed):
                message = f"nothing on `{inner.node.id}` needs the tool `{use.id}`"
                help = "Say in `instructions` when to call it, or remove it from the node."
                yield warning_at(CODE, use.id_place, message, help)
        yield from _named(analysis, inner, inner.node)


def _is_needed(
    analysis: Analysis, node: TalkNode, use: ToolUse, facts_needed: frozenset[str]
) -> bool:
    entry = analysis.catalogue.entries.get(use.id)
    if entry is None or use.sets or facts_needed & entry.establishes.keys():
        return True
    conditions = " ".join(edge.condition or "" for edge in node.edges)
    if f"failed.{use.id}" in conditions:
        return True
    texts = [node.instructions, node.say, node.say_again, *(edge.when for edge in node.edges)]
    said = _stems(" ".join(text for text in texts if text is not None))
    return bool(said & _stems(use.id.replace("_", " ").replace("-", " ")))


def _facts_needed(analysis: Analysis) -> frozenset[str]:
    """The facts that an exit or a tool of the flow waits for, or that the policy requires."""
    edges = [edge.edge for edge in analysis.graph.edges if edge.edge] if analysis.has_graph else []
    needed = {fact for edge in edges for fact in edge.required_facts}
    texts = [edge.condition for edge in edges]
    texts += [use.condition for _, use in analysis.inlined.uses()]
    for text in texts:
        needed.update(re.findall(r"\bfacts\s*\.\s*(\w+)", text or ""))
    for facts in analysis.required_facts.values():
        needed.update(facts)
    return frozenset(needed)


def _named(analysis: Analysis, inner: InlinedNode, node: TalkNode) -> Iterator[Finding]:
    """An id without an underscore is a word of everyday speech and proves nothing."""
    granted = {use.id for use in node.tools}
    words = set(re.findall(r"[A-Za-z][\w-]*", node.instructions or ""))
    for tool in sorted(words & analysis.catalogue.entries.keys() - granted):
        if "_" in tool:
            message = f"the instructions name `{tool}`, which `{node.id}` does not grant"
            help = f"Add `{tool}` to the `tools` of the node, or leave it out of the text."
            yield warning_at(CODE, inner.node.place.at("instructions"), message, help)


def _stems(text: str) -> frozenset[str]:
    words = (word for word in _WORD.findall(text.casefold()) if len(word) > 2)
    return frozenset(word[:_STEM] for word in words if word not in _EMPTY)
