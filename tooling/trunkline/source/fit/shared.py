"""Keys that belong to shared flows only, or to tenants' flows only (TL101)."""

from collections.abc import Iterator

from trunkline.finding import Finding, error
from trunkline.source.document import Document
from trunkline.source.layout import is_shared

_SHARED_ONLY = {
    "params": "Write the values where they are needed, or move the flow to flows/shared/.",
    "exits": "Only a shared subflow is left by exits: move it to flows/shared/, or end the call.",
}
_TENANT_ONLY = {
    "use": "Only a tenant's flow is a use of a shared one: put the nodes here.",
}


def misplaced_keys(document: Document) -> Iterator[Finding]:
    """A finding for each key of a flow that its folder does not allow."""
    if document.kind != "flow" or not isinstance(document.data, dict):
        return
    shared = is_shared(document.path)
    whose = "a shared flow" if shared else "a tenant's flow"
    for key, help in (_TENANT_ONLY if shared else _SHARED_ONLY).items():
        if key in document.data:
            message = f"{whose} cannot have the key `{key}`"
            yield error("TL101", document.path, document.mark([key], "key"), message, help)
