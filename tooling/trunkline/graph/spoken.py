"""Whether a tool is given what the caller said, and nothing else (`spoken` of the catalogue)."""

from collections.abc import Iterable

from trunkline.graph.inline import Inlined, InlinedNode
from trunkline.graph.scope import Scope
from trunkline.model.nodes import TalkNode
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression.lexer import ExpressionSyntax, Token, tokens

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

    A slot says what the caller said; so do several, joined by punctuation or spaces. Anything
    else in the expression could put words into the caller's mouth.
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
        scanned = [token for token in tokens(scope.expression(bound)) if token.text not in "()"]
    except ExpressionSyntax:
        return False
    slots = 0
    position = 0
    while position < len(scanned):
        if _slot_at(scanned, position) in collected:
            slots += 1
            position += _SLOT_TOKENS
        elif _is_separator(scanned[position]):
            position += 1
        else:
            return False
        if position < len(scanned):
            if scanned[position].text != "+" or position + 1 == len(scanned):
                return False
            position += 1
    return slots > 0


def _slot_at(scanned: list[Token], position: int) -> str | None:
    texts = [token.text for token in scanned[position : position + _SLOT_TOKENS]]
    return texts[2] if len(texts) == _SLOT_TOKENS and texts[:2] == ["slots", "."] else None


def _is_separator(token: Token) -> bool:
    """A plain string of punctuation and spaces; one with an escape could spell anything."""
    return (
        token.kind == "string"
        and token.text[0] in "\"'"
        and not any(character.isalnum() or character == "\\" for character in token.text)
    )
