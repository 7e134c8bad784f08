"""What callers would hear, and the model would read, in other words: release against release."""

from collections.abc import Iterator, Mapping

from trunkline_runtime.release.loaded import Release
from trunkline_runtime.table.node_table import NodeTable
from trunkline_runtime.table.nodes import (
    ConfirmNode,
    EndNode,
    Node,
    NumberChoice,
    TalkNode,
    TransferNode,
)


def changed_words(
    before: Release, after: Release, flow: str, node: str
) -> Iterator[tuple[str, str]]:
    """Each text of a node that is another one now: its key, and what became of it. A node that one
    of the two does not have is no matter of words."""
    if any(_node(release, flow, node) is None for release in (before, after)):
        return
    old, new = _texts(before, flow, node), _texts(after, flow, node)
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            yield key, f"{key} was {_shown(old.get(key))} and is {_shown(new.get(key))}"


def _node(release: Release, flow: str, id: str) -> Node | None:
    table = release.tables.get(flow)
    return table.nodes.get(id) if table is not None else None


def _texts(release: Release, flow: str, id: str) -> Mapping[str, str]:
    node = _node(release, flow, id)
    if node is None:
        return {}
    found = dict(_of_node(release.tables[flow], node))
    return {key: text for key, text in found.items() if text}


def _of_node(table: NodeTable, node: Node) -> Iterator[tuple[str, str | None]]:
    if isinstance(node, TalkNode):
        yield "speak", ", ".join(node.speak)
        yield "say", node.say
        yield "say_again", node.say_again
        yield "instructions", node.instructions
        for name in node.collect:
            yield f"the question for {name}", table.slots[name].ask
        silence = node.silence or table.silence
        yield "what is said into a silence", silence.say
    elif isinstance(node, ConfirmNode | EndNode | TransferNode):
        yield "say", node.say


def number_of(release: Release, flow: str, id: str) -> str | None:
    """Which number a transfer goes to, as far as that is written; None for no transfer."""
    node = _node(release, flow, id)
    if not isinstance(node, TransferNode):
        return None
    if isinstance(node.number, NumberChoice):
        names = sorted({*node.number.names.values(), node.number.default or ""} - {""})
    else:
        names = [node.number]
    # The names are shown, the numbers only compared.
    return ", ".join(names)


def _shown(text: str | None) -> str:
    if text is None:
        return "not there"
    return repr(text if len(text) <= 120 else f"{text[:117]}…")
