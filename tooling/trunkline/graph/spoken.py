"""Whether a tool is given what the caller said, and nothing else (`spoken` of the catalogue)."""

from collections.abc import Iterable

from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.scope import Scope
from trunkline.model.nodes import TalkNode
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression.lexer import ExpressionSyntax, tokens

_SLOT_TOKENS = 3  # slots . x


def only_collected(
    inlined: Inlined, nodes: Iterable[InlinedNode], given_by_links: frozenset[str]
) -> frozenset[str]:
    """The slots that only `collect` fills: no tool's `sets` and no link of another flow does."""
    collected = {
        slot for inner in nodes if isinstance(inner.node, TalkNode) for slot in inner.node.collect
    }
    filled = {slot for _, use in inlined.uses() for slot in use.sets}
    return frozenset(collected - filled - given_by_links)


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
