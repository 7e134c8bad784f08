"""Which tenants are followed: those that were named, if they are anywhere; else the store's."""

import logging
from collections.abc import Sequence
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.collect import names_in
from trunkline_runtime.release.source import Source
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.table.layout import POLICY_NAME

logger = logging.getLogger("trunkline.release")


def followed(tenants: Sequence[str], source: Source, cache: Path) -> tuple[str, ...]:
    """The tenants to follow. A store that can't be asked now may hold those that were named; where
    none is, those that this machine has releases of are followed: calls go on without a store.

    Raises FatalError for a tenant that neither the store nor the cache holds: it was mistyped, and
    would be asked for, for ever.
    """
    here = [name for name in names_in(cache) if name != POLICY_NAME]
    if not tenants:
        try:
            return tuple(source.tenants())
        except FatalError as problem:
            if not here:
                raise
            names = ", ".join(here)
            logger.warning("%s; followed are the tenants that are here: %s", problem, names)
            return tuple(here)
    try:
        unknown = [name for name in tenants if name not in here and not source.holds(name)]
    except Unavailable:
        return tuple(tenants)
    if unknown:
        names = ", ".join(map(repr, unknown))
        raise FatalError(
            f"neither the store nor {cache} holds a release of {names}; {_its_tenants(source)}"
        )
    return tuple(tenants)


def _its_tenants(source: Source) -> str:
    try:
        return f"the store's tenants: {', '.join(source.tenants()) or 'none'}"
    except FatalError as problem:  # a registry need not list what it holds
        return str(problem)
