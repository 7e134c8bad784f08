"""TL206: a single exit that asks the model where none is needed (a warning).

Finds: a talk node whose only exit of its own has a `when`, although something else already says
when to go on: it collects slots, the exit has an `if` or `requires`, or the node only speaks fixed
words.

On the phone: the model is asked for what is certain. That takes a second, costs money, and now and
then it decides otherwise.

Fails:

    ask_day:
      collect: [day]
      edges:
        - {to: ask_time, when: they have named a day}

Passes:

    ask_day:
      collect: [day]
      edges:
        - {to: ask_time}
"""

from collections.abc import Iterator

from trunkline.checks.at import warning_at
from trunkline.finding import Finding
from trunkline.model.edge import Edge
from trunkline.model.flow import Flow
from trunkline.model.nodes import TalkNode
from trunkline.model.repository import Repository

CODE = "TL206"


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Single exits that could be taken without asking."""
    for node in flow.nodes.values():
        if not isinstance(node, TalkNode) or len(node.edges) != 1 or node.aside:
            continue
        (edge,) = node.edges
        reason = _reason(node, edge)
        if edge.asks_model and reason:
            message = f"the only exit of `{node.id}` asks the model, although {reason}"
            help = f"Remove `when`: the call then goes on to `{edge.to}` by itself."
            yield warning_at(CODE, edge.place.at("when").key, message, help)


def _reason(node: TalkNode, edge: Edge) -> str:
    if node.collect:
        return "the node is done once its slots are set"
    if edge.condition is not None or edge.requires:
        return "its condition already decides"
    if node.instructions is None and not node.tools:
        return "the node only speaks fixed words"
    return ""
