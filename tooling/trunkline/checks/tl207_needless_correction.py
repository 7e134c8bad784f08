"""TL207: a correction that asks again for nothing (a warning).

Finds: an exit with `correction: true` that leads to a node which collects nothing: an end, a
transfer, a link, a confirm node, or a talk node without `collect`. A correction means that its
target asks again for the slots that it collects.

On the phone: somebody who says that their name is wrong is not asked for the right one. Mostly the
exit leads to the wrong node.

Fails:

    pay:
      edges:
        - {to: goodbye, when: a detail they gave was wrong, correction: true, clears: [full_name]}

Passes:

    pay:
      edges:
        - {to: verify, when: a detail they gave was wrong, correction: true, clears: [full_name]}
"""

from collections.abc import Iterator

from trunkline.checks.at import listed, warning_at
from trunkline.finding import Finding
from trunkline.model.flow import Flow
from trunkline.model.nodes import TERMINALS, ConfirmNode, Node, TalkNode
from trunkline.model.repository import Repository

CODE = "TL207"


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Corrections of one file; one that leads into a sub-flow or a route is not judged."""
    asking = [
        node.id for node in flow.nodes.values() if isinstance(node, TalkNode) and node.collect
    ]
    for node in flow.nodes.values():
        for edge in node.edges if isinstance(node, TalkNode) else ():
            target = flow.nodes.get(edge.to)
            if edge.correction and target is not None and _asks_for_nothing(target):
                message = f"a correction, and `{edge.to}` asks for nothing"
                help = "Lead it to the node that asks, or remove `correction`."
                if asking:
                    help = f"Lead it to a node that asks: {listed(tuple(asking[:5]))}."
                yield warning_at(CODE, edge.place.at("to"), message, help)


def _asks_for_nothing(node: Node) -> bool:
    return isinstance(node, (*TERMINALS, ConfirmNode)) or (
        isinstance(node, TalkNode) and not node.collect
    )
