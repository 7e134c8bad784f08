"""Every text of a flow file in which `{{ … }}` is filled in."""

from collections.abc import Iterator
from functools import lru_cache

from trunkline.model.flow import Flow
from trunkline.model.nodes import ConfirmNode, EndNode, RouteNode, TalkNode, TransferNode
from trunkline.model.place import Place


@lru_cache(maxsize=8)  # half a dozen checks of a flow ask, one after the other
def texts(flow: Flow) -> tuple[tuple[str, Place], ...]:
    """`(text, place)` of each text that callers hear or the model is given."""
    return tuple(_texts(flow))


def _texts(flow: Flow) -> Iterator[tuple[str, Place]]:
    for slot in flow.slots.values():
        if slot.ask is not None:
            yield slot.ask, slot.place.at("ask")
    if "say" in flow.silence:
        yield flow.silence["say"], flow.place.at("silence", "say")
    edges = list(flow.anywhere)
    for node in flow.nodes.values():
        place = node.place
        if isinstance(node, TalkNode):
            for key in ("say", "say_again", "instructions"):
                if getattr(node, key) is not None:
                    yield getattr(node, key), place.at(key)
            if "say" in node.silence:
                yield node.silence["say"], place.at("silence", "say")
        if isinstance(node, ConfirmNode | EndNode | TransferNode) and node.say is not None:
            yield node.say, place.at("say")
        if isinstance(node, TalkNode | RouteNode):
            edges += node.edges
    for edge in edges:
        if edge.say is not None:
            yield edge.say, edge.place.at("say")
