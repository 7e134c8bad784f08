"""What is said of a tenant that a store does not hold: there is no store, or these are its own."""

from trunkline.failure import FatalError
from trunkline.nearest import nearest_first
from trunkline.release.store import Store, Unlisted
from trunkline_runtime.table.layout import POLICY_NAME

_MOST = 10  # names in one message; a store may hold a thousand


def unknown_tenant(store: Store, tenant: str) -> FatalError:
    """The failure to raise. Raises FatalError itself for a store that is none or can't be read."""
    said = f"{store.place} holds no release of {tenant!r}"
    try:
        known = [name for name in store.names() if name != POLICY_NAME]
    except Unlisted:
        return FatalError(said)
    if not known:
        return FatalError(f"{said}, nor of any other tenant: is it the store you mean?")
    names = nearest_first(tenant, known)
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return FatalError(f"{said}; its tenants: {', '.join(names[:_MOST])}{more}")
