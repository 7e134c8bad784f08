"""TL302: a tool of a connection that the tenant has not connected.

Finds: a tool of a node or of `after_call`, or one that such a tool uses or takes values from, whose
connection (its folder under `catalog/tools/`) is not among the `connections` of `tenant.yaml`.

On the phone: each call of the tool would fail, because nothing says where the system is.

Fails:

    # tenant.yaml connects crm and billing
    confirm:
      tools: [send_sms]           # catalog/tools/messaging/send_sms.yaml

Passes:

    # tenant.yaml connects crm, billing and messaging
    confirm:
      tools: [send_sms]
"""

from collections.abc import Iterator

from trunkline.checks.at import error_at, listed
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.model.nodes import TalkNode
from trunkline_runtime.catalogue.entry import with_needed

CODE = "TL302"


def check(analysis: Analysis) -> Iterator[Finding]:
    """Each tool whose system the tenant does not have."""
    tenant = analysis.tenant
    if tenant is None:
        return
    entries = analysis.catalogue.entries
    for scope in analysis.inlined.scopes:
        uses = list(scope.flow.after_call)
        for node in scope.flow.nodes.values():
            if isinstance(node, TalkNode):
                uses += node.tools
        for use in uses:
            for id in sorted(with_needed(entries, [use.id]), key=lambda id: (id != use.id, id)):
                entry = entries.get(id)
                if entry is None or entry.connection in tenant.connections:
                    continue
                what = f"`{id}`" if id == use.id else f"`{use.id}` uses `{id}`, which"
                message = (
                    f"{what} needs the connection `{entry.connection}`, "
                    f"which the tenant {tenant.id} has not connected"
                )
                connected = tuple(sorted(tenant.connections))
                has = f" It has {listed(connected)}." if connected else ""
                help = (
                    f"Add `{entry.connection}` under `connections` in "
                    f"flows/{tenant.id}/tenant.yaml, or use another tool.{has}"
                )
                yield error_at(CODE, use.id_place, message, help)
