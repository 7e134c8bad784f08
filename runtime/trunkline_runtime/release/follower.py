"""Follows a store: asks it at a steady pace, and swaps in what is new once it is proven.

Whatever a store says or does not say, what was current stays current until something better is
loaded and tested. A call that runs keeps the release that it began on.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.board import PinBoard
from trunkline_runtime.release.cache import current_policy, current_rollout
from trunkline_runtime.release.channel_set import ChannelSet, channels_of, refuse_expired
from trunkline_runtime.release.collect import names_in
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.release.opened import releases
from trunkline_runtime.release.pace import Pace
from trunkline_runtime.release.pull_policy import pull_policy
from trunkline_runtime.release.pull_release import pull_release
from trunkline_runtime.release.pulling import Pulling, Rehearsal, unrehearsed
from trunkline_runtime.release.shelf import Shelf
from trunkline_runtime.release.source import Source
from trunkline_runtime.release.trusted import Keys, keys_here
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.release.watch import Nobody, Watch
from trunkline_runtime.table.layout import POLICY_NAME

logger = logging.getLogger("trunkline.release")

_THREADS = 8


@dataclass
class _Known:
    """What a follower knows of one name: what it adopted last, and what is wrong since."""

    mark: str | None = None
    channels: ChannelSet | None = None
    fault: str | None = None
    whole: bool = False


class Follower:
    """Keeps a board, and the policy of the moment, in step with a store.

    `board` is what calls take their pins from. `keys` are those that this machine trusts unless
    others are given. `rehearse` is a test of a release beyond the self-test; a worker passes one
    that builds each node's agent.
    """

    def __init__(
        self,
        source: Source,
        cache: Path,
        board: PinBoard,
        tenants: Iterable[str],
        *,
        keys: Keys | None = None,
        rehearse: Rehearsal = unrehearsed,
        watch: Watch | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Raises FatalError for trusted keys that can't be used."""
        self._source = source
        self._cache = cache
        self._board = board
        self._keys = keys_here() if keys is None else keys
        self._rehearse = rehearse
        self._watch = watch or Nobody()
        self._clock = clock
        self._shelf = Shelf()
        self._known = {name: _Known() for name in (POLICY_NAME, *tenants)}
        self._policy: PolicySnapshot | None = None

    @property
    def tenants(self) -> tuple[str, ...]:
        """The tenants that are followed."""
        return tuple(name for name in self._known if name != POLICY_NAME)

    def policy(self) -> PolicySnapshot | None:
        """The newest verified policy; None if there was none yet: what needs one is denied."""
        return self._policy

    def fault(self, name: str) -> str | None:
        """Why a tenant's (or the policy's) last poll changed nothing though it should have."""
        return self._known[name].fault

    def restore(self) -> None:
        """Adopts what this machine pulled before, without asking the store: it may be gone.

        What can't be used is said in the log and left to the first poll; what was never pulled is
        no news.
        """
        try:
            self._policy = current_policy(self._cache, self._keys)
        except FatalError as problem:
            logger.warning("the policy in %s can't be used: %s", self._cache, problem)
        for name in self.tenants:
            if name not in names_in(self._cache):
                continue
            try:
                rollout = current_rollout(self._cache, name, self._keys, self._shelf)
            except FatalError as problem:
                logger.warning("%s has no last good release here: %s", name, problem)
                continue
            self._board.adopt(rollout)

    def poll(self) -> float | None:
        """Asks the store once about the policy and every tenant, and adopts what is new.

        Never raises for what a store or a disk can do. Returns how many seconds the store asked
        to be left alone for, if it did.
        """
        wishes = [self._poll(POLICY_NAME)]
        with ThreadPoolExecutor(_THREADS) as pool:
            wishes += pool.map(self._poll, self.tenants)
        return max((wish for wish in wishes if wish is not None), default=None)

    def run(self, stop: threading.Event, pace: Pace, after: Callable[[], None]) -> None:
        """Polls at a pace until `stop` is set. `after` is called when a round is over."""
        wait = pace.first()
        while not stop.wait(wait):
            wait = pace.next(self.poll())
            after()

    def _poll(self, name: str) -> float | None:
        known, now = self._known[name], self._clock()
        try:
            self._follow(name, known, now)
        except Unavailable as problem:
            self._watch.unavailable(name)
            self._say(name, known, str(problem))
            return problem.seconds
        except FatalError as problem:
            self._watch.refused(name)
            self._say(name, known, str(problem))
            return None
        except Exception as problem:
            # A bug of ours in one tenant must not end the following of all the others.
            self._watch.unavailable(name)
            logger.exception("a poll of %s failed", name)
            known.fault = f"this is a bug of Trunkline ({type(problem).__name__})"
            return None
        if known.fault is not None:
            logger.info("%s: the store can be followed again", name)
            known.fault = None
        self._watch.polled(name, now)
        return None

    def _follow(self, name: str, known: _Known, now: datetime) -> None:
        began = time.monotonic()
        mark = self._mark(name)
        if mark is None:
            return
        if mark == known.mark and known.whole:
            if known.channels is not None:
                refuse_expired(known.channels, now)
            return
        pulling = Pulling(self._source, self._cache, self._keys, now, self._shelf, self._rehearse)
        if name == POLICY_NAME:
            channels, whole = self._adopt_policy(pulling)
        else:
            channels, whole = self._adopt_release(pulling, name)
        changed = mark != known.mark
        known.mark, known.channels, known.whole = mark, channels, whole
        if changed:
            self._watch.swapped(name, time.monotonic() - began)
        for channel in channels.channels.values() if channels else ():
            self._watch.expires(name, channel.name, channel.expires)

    def _mark(self, name: str) -> str | None:
        """What changes in the store when something new is there; None if nothing is there yet."""
        channels = channels_of(self._source, name)
        if channels is not None:
            return channels.digest
        found = releases(self._source, name)
        if not found and name != POLICY_NAME:
            raise Refused(f"the store holds no release of {name}")
        return found[-1] if found else None

    def _adopt_policy(self, pulling: Pulling) -> tuple[ChannelSet | None, bool]:
        found = pull_policy(pulling)
        if found is None:
            return None, True
        if self._policy is None or self._policy.digest != found.snapshot.digest:
            logger.info("the policy %s is current", found.tag)
        self._policy = found.snapshot
        return found.channels, True

    def _adopt_release(self, pulling: Pulling, name: str) -> tuple[ChannelSet | None, bool]:
        before = self._board.rollout(name)
        found = pull_release(pulling, name, None)
        self._board.adopt(found.rollout)
        for channel, release in sorted(found.rollout.releases.items()):
            old = before.releases.get(channel) if before else None
            if old is None or old.digest != release.digest:
                said = found.channels.channels[channel] if found.channels else None
                logger.info(
                    "%s %s takes %s, before: %s%s",
                    name,
                    channel,
                    release.tag,
                    old.tag if old else "none",
                    f"; by {said.by}: {said.reason}" if said else "",
                )
        return found.channels, not found.left_out

    def _say(self, name: str, known: _Known, fault: str) -> None:
        """Says what is wrong once, and again when it is something else."""
        if fault != known.fault:
            logger.warning("%s is not followed, what was current still is: %s", name, fault)
        known.fault = fault
