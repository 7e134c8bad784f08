"""What the links of a flow give to the flow that a call goes on in."""

from collections.abc import Iterator
from typing import NamedTuple

from trunkline.model.flow import Flow
from trunkline.model.nodes import LinkNode
from trunkline_runtime.expression.lexer import ExpressionSyntax, tokens
from trunkline_runtime.table.parts import Bound

# Of `call`, what every call has.
_ALWAYS_KNOWN = frozenset({"direction", "language", "visits", "minutes"})
_NAME_TOKENS = 3  # slots . x


class Given(NamedTuple):
    """What one link gives. `holder` is the id of the flow that it stands in.

    `surely` are the names that have a value whenever the link is taken; `perhaps` those whose
    value has to be worked out, which may fail, or comes from an input that may be missing.
    """

    holder: str
    surely: tuple[str, ...]
    perhaps: tuple[str, ...]


def links_of(flow: Flow) -> Iterator[tuple[str, Given]]:
    """(the flow that is linked to, what is given to it) for each link of a file."""
    for node in flow.nodes.values():
        if isinstance(node, LinkNode):
            surely = {name for name, value in node.bind.items() if _is_sure(value, flow)}
            perhaps = node.bind.keys() - surely
            yield node.flow, Given(flow.id, tuple(sorted(surely)), tuple(sorted(perhaps)))


def _is_sure(value: Bound, flow: Flow) -> bool:
    """True for a constant and for one name that has a value: a slot is proven to be set."""
    if not isinstance(value, str):
        return True
    try:
        scanned = tokens(value)
    except ExpressionSyntax:
        return False
    if len(scanned) == 1:
        return scanned[0].kind in ("string", "number") or scanned[0].text in ("true", "false")
    texts = [token.text for token in scanned]
    if len(texts) != _NAME_TOKENS or texts[1] != ".":
        return False
    root, _, name = texts
    if root == "inputs":
        # A sub-flow reads the inputs of its host, of which nothing is known here.
        return name in flow.inputs and not flow.inputs[name].optional
    return root in ("slots", "facts", "failed") or (root == "call" and name in _ALWAYS_KNOWN)
