"""Which tenants, flows and tools the releases on this machine know: for a name that was typed."""

from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import default_cache
from trunkline_runtime.release.collect import names_in
from trunkline_runtime.release.holding import held
from trunkline_runtime.release.opened import manifest_at
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.table.artifact import RELEASE
from trunkline_runtime.table.layout import POLICY_NAME

_FLOWS, _TOOLS = "flows", "tools"


def doubts(tenant: str | None, flow: str | None, tool: str | None) -> Iterator[str]:
    """A sentence for each name that no release on this machine knows, with the nearest that one
    does. Where no release can be read, that nothing here tells whether the names exist.
    """
    cache = default_cache()
    tenants = [name for name in names_in(cache) if name != POLICY_NAME]
    named = [name for name in (tenant, flow, tool) if name]
    if named and not tenants:
        yield _untold(f"no release was pulled to {cache}", named)
        return
    if tenant and tenant not in tenants:
        yield f"no release of {tenant} is on this machine{_meant(tenant, tenants)}"
    # Of a tenant that is not here, the flow can't be looked up; the tool may be anybody's.
    of = f" of {tenant}" if tenant in tenants else ""
    for word, folder, name in (("flow", _FLOWS, flow), ("tool", _TOOLS, tool)):
        if not name or (word == "flow" and not of):
            continue
        known = _titles(cache, [tenant] if of and tenant else tenants, folder)
        if not known:
            yield _untold(f"no release{of} on this machine names a {word}", [name])
        elif name not in known:
            yield f"no release{of} on this machine has a {word} {name}{_meant(name, known)}"


def _titles(cache: Path, tenants: Collection[str], folder: str) -> set[str]:
    """The names that layers of all releases of these tenants have in a folder. What is damaged
    names nothing: a kill switch must not wait until a cache is mended.
    """
    found: set[str] = set()
    for tenant in tenants:
        try:
            here = held(cache, tenant)
            for descriptor in here.releases.values() if here is not None else ():
                layers = manifest_at(FolderSource(cache), tenant, RELEASE, descriptor).layers
                paths = map(PurePosixPath, layers)
                found |= {path.stem for path in paths if path.parts[0] == folder}
        except (Refused, OSError):
            continue
    return found


def _meant(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _untold(why: str, named: Collection[str]) -> str:
    exist = "exists" if len(named) == 1 else "exist"
    return f"{why}: nothing here tells whether {' and '.join(named)} {exist}"
