"""The cache: what this machine has pulled, in the store's own layout, proven anew when it is used.

`<cache>/<tenant>/` is an OCI image layout of the releases pulled so far, with their signatures and
the channels that were seen last.
"""

import contextlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.channel_set import read_channels
from trunkline_runtime.release.holding import Held, held
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.rollout import Rollout
from trunkline_runtime.release.shelf import Shelf
from trunkline_runtime.release.source import FolderSource
from trunkline_runtime.release.trusted import Keys, check_signature, keys_here, signature_of
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.state import state_folder
from trunkline_runtime.table.channel import CANARY, STABLE
from trunkline_runtime.table.durable import make_folder
from trunkline_runtime.table.exclusive import LOCK_FILE, Busy, exclusive, take_away
from trunkline_runtime.table.folder import begin, is_begun, is_layout, unbegin
from trunkline_runtime.table.layout import POLICY_NAME

logger = logging.getLogger("trunkline.release")

# What a folder may hold besides: ours (`.workers`), and what a new disk comes with.
_ASIDE = (".", "lost+found")
_WAIT_SECONDS = 30.0  # for another pull of the same tenant


def default_cache() -> Path:
    """Where pulls go if nothing else is said: `releases` in the state folder."""
    return state_folder() / "releases"


def require_cache(cache: Path) -> None:
    """Raises FatalError for a folder that holds something else and no release: it was named by
    mistake, and releases would come to lie among what is in it.
    """
    try:
        inside = [entry for entry in sorted(cache.iterdir()) if not entry.name.startswith(_ASIDE)]
    except FileNotFoundError:
        return
    except OSError as error:
        raise FatalError(f"{cache} can't be a cache: {error.strerror}") from None
    others = [entry for entry in inside if not _is_ours(entry)]
    if others and len(others) == len(inside):
        raise FatalError(
            f"{cache} is no cache of releases: it holds {others[0].name}; "
            "name an empty or a new folder with --into"
        )


def _is_ours(folder: Path) -> bool:
    """A folder of releases, or what a pull leaves that was killed before it was one."""
    return is_layout(folder) or is_begun(folder) or (folder / LOCK_FILE).is_file()


def current_release(
    cache: Path, tenant: str, keys: Keys | None = None, shelf: Shelf | None = None
) -> Release:
    """The release of a tenant that calls take outside its canary, proven anew from disk.

    `keys` are those that this machine trusts unless others are given. Raises FatalError if none
    was pulled and Refused if the copy on disk is no longer sound or nobody vouches for it.
    """
    found = _pulled(cache, tenant)
    return _load(cache, found, found.tag, keys_here() if keys is None else keys, shelf)


def current_rollout(
    cache: Path, tenant: str, keys: Keys | None = None, shelf: Shelf | None = None
) -> Rollout:
    """What each channel of a tenant takes, from what was pulled last: the store is not asked.

    A channel other than `stable` whose release can't be used is left out, and its calls take
    `stable`. An expired channel still counts here: it is the last good one. Raises as
    `current_release` does.
    """
    trusted = keys_here() if keys is None else keys
    found = _pulled(cache, tenant)
    releases = {STABLE: _load(cache, found, found.tag, trusted, shelf)}
    percent = 0
    for channel, tag in found.live.items():
        if channel == STABLE:
            continue
        try:
            releases[channel] = _load(cache, found, tag, trusted, shelf)
            if channel == CANARY and found.channels is not None:
                channels = read_channels(FolderSource(cache), tenant, found.channels, trusted)
                percent = channels.channels[CANARY].percent
        except Refused as error:
            logger.warning("the channel %s of %s is left out: %s", channel, tenant, error)
            releases.pop(channel, None)
    since = {channel: found.since[release.tag] for channel, release in releases.items()}
    return Rollout(tenant, releases, percent, since)


def current_policy(cache: Path, keys: Keys | None = None) -> PolicySnapshot | None:
    """The newest verified policy; None if none was ever pulled. Raises Refused if it is damaged."""
    found = held(cache, POLICY_NAME)
    if found is None:
        return None
    source = FolderSource(cache)
    trusted = keys_here() if keys is None else keys
    signature = signature_of(source, POLICY_NAME, found.current)
    check_signature(source, POLICY_NAME, found.tag, found.current, signature, trusted)
    return load_policy(source, found.tag, found.current)


@contextmanager
def adopting(cache: Path, name: str) -> Iterator[None]:
    """Holds the lock on one tenant's folder, making it where there is none.

    A folder of which nothing came is not left behind. Raises Unavailable if another pull keeps the
    lock for longer than half a minute, and OSError.
    """
    folder = cache / name
    made = make_folder(folder)
    try:
        with exclusive(folder, _WAIT_SECONDS):
            try:
                begin(folder)
                yield
            except BaseException:
                if folder in made:
                    with contextlib.suppress(OSError):
                        unbegin(folder)
                        take_away(folder, made)
                raise
    except Busy:
        raise Unavailable(f"another pull of {name} into {cache} is running") from None


def _pulled(cache: Path, tenant: str) -> Held:
    found = held(cache, tenant)
    if found is None:
        raise FatalError(
            f"no release of {tenant} was pulled to {cache} yet: "
            f"run `trunkline-runtime pull {tenant} --from STORE --into {cache}`"
        )
    return found


def _load(cache: Path, found: Held, tag: str, keys: Keys, shelf: Shelf | None) -> Release:
    source, named = FolderSource(cache), found.entries[tag]
    signature = signature_of(source, found.name, named)
    check_signature(source, found.name, tag, named, signature, keys)
    return load_release(source, found.name, tag, named, shelf)
