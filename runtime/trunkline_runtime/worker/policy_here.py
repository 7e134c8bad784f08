"""The newest verified policy and the newest settings of a tenant, read anew when they change.

A worker's follower swaps them in with one rename of an index; who asks sees by the file whether
anything is new. Reading proves everything again, so it is not done for each decision.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Generic, TypeVar

from trunkline_runtime.release.cache import current_policy, current_release
from trunkline_runtime.release.choose import NO_POLICY
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.table.layout import INDEX_FILE, POLICY_NAME
from trunkline_runtime.table.settings import TenantSettings

_What = TypeVar("_What")
_Mark = tuple[int, int, int]


class _Newest(Generic[_What]):
    """Something that is read from one folder of a cache. Safe for threads."""

    def __init__(self, index: Path, read: Callable[[], _What]) -> None:
        self._index = index
        self._read = read
        self._known: tuple[_Mark, _What] | None = None
        self._lock = Lock()

    def get(self) -> _What:
        """Raises what reading raises; then whoever asks must take it as a no."""
        with self._lock:
            mark = _mark(self._index)
            if self._known is None or self._known[0] != mark:
                # Marked as it was before it was read: what is swapped in meanwhile is read next.
                self._known = mark, self._read()
            return self._known[1]


class PolicyHere:
    """What the gate of a worker asks for, from the cache that its follower keeps."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._policy = _Newest(
            cache / POLICY_NAME / INDEX_FILE, lambda: current_policy(cache) or NO_POLICY
        )
        self._settings: dict[str, _Newest[TenantSettings]] = {}

    def policy(self) -> PolicySnapshot:
        """Raises Refused if it can't be proven."""
        return self._policy.get()

    def settings(self, tenant: str) -> TenantSettings:
        """Raises FatalError if the tenant has no release here."""
        cache = self._cache
        found = self._settings.setdefault(
            tenant,
            _Newest(cache / tenant / INDEX_FILE, lambda: current_release(cache, tenant).settings),
        )
        return found.get()


def _mark(path: Path) -> _Mark:
    try:
        status = path.stat()
    except FileNotFoundError:
        return (0, 0, 0)
    return (status.st_ino, status.st_mtime_ns, status.st_size)
