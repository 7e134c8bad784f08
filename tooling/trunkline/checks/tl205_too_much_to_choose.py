"""TL205: too much for the model to choose from (a warning).

Finds: more than 7 exits with `when` of its own on a node, or more than 8 tools.

On the phone: the longer the list, the more often the model picks the wrong exit or tool, and the
longer the caller waits for it.

Fails:

    greeting:
      tools: [a, b, c, d, e, f, g, h, i]

Passes:

    greeting:
      tools: [a, b, c]
"""

from collections.abc import Iterator

from trunkline.checks.at import warning_at
from trunkline.finding import Finding
from trunkline.model.flow import Flow
from trunkline.model.nodes import TalkNode
from trunkline.model.repository import Repository

CODE = "TL205"
MOST_EXITS = 7
MOST_TOOLS = 8


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """Nodes that offer the model too much."""
    for node in flow.nodes.values():
        if not isinstance(node, TalkNode):
            continue
        exits = sum(edge.asks_model for edge in node.edges)
        if exits > MOST_EXITS:
            message = (
                f"`{node.id}` offers the model {exits} exits; beyond {MOST_EXITS} it errs more"
            )
            help = "Split the choice over two nodes."
            yield warning_at(CODE, node.place.at("edges").key, message, help)
        if len(node.tools) > MOST_TOOLS:
            tools = len(node.tools)
            message = f"`{node.id}` grants {tools} tools; beyond {MOST_TOOLS} the model errs more"
            help = "Grant the tools on the nodes that need them."
            yield warning_at(CODE, node.place.at("tools").key, message, help)
