"""Whether a tool is given what the caller said, and nothing else (`spoken` of the catalogue)."""

from collections.abc import Iterable

from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.one_text import allows_one_text
from trunkline.graph.scope import Scope
from trunkline.model.declaration import Declaration
from trunkline.model.nodes import TalkNode
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression.lexer import ExpressionSyntax, tokens

_SLOT_TOKENS = 3  # slots . x


def only_collected(
    inlined: Inlined, nodes: Iterable[InlinedNode], given_by_links: frozenset[str]
) -> frozenset[str]:
    """The slots that only `collect` fills: no tool's `sets` and no link of another flow does.

    A slot that takes one value and no other is filled by whoever wrote the flow.
    """
    collected = {
        slot for inner in nodes if isinstance(inner.node, TalkNode) for slot in inner.node.collect
    }
    filled = {slot for _, use in inlined.uses() for slot in use.sets}
    declared = inlined.whole.slots
    forced = {slot for slot in collected if slot in declared and _takes_one(declared[slot])}
    return frozenset(collected - filled - forced - given_by_links)


def _takes_one(slot: Declaration) -> bool:
    """True for a choice of one, and for a `pattern` that only one text fits."""
    pattern = slot.written.get("pattern")
    return len(set(slot.choices)) == 1 or (isinstance(pattern, str) and allows_one_text(pattern))


def unspoken(
    entry: ToolEntry, use: ToolUse, scope: Scope, collected: frozenset[str]
) -> tuple[str, ...]:
    """The `spoken` arguments of a tool that this use does not bind to what the caller said.

    Bound to a slot as it stands: anything around it could put words into the caller's mouth. The
    dispatcher of a running call holds the same rule.
    """
    return tuple(
        argument
        for argument in entry.spoken
        if not _is_said(use.bind.get(argument), scope, collected)
    )


def _is_said(bound: object, scope: Scope, collected: frozenset[str]) -> bool:
    if not isinstance(bound, str):
        return False
    try:
        scanned = tokens(scope.expression(bound))
    except ExpressionSyntax:
        return False
    # A param that is filled in stands in brackets.
    texts = [token.text for token in scanned if token.text not in ("(", ")")]
    return len(texts) == _SLOT_TOKENS and texts[:2] == ["slots", "."] and texts[2] in collected
