"""The policy, pulled: it has a sequence of its own and only moves forward."""

from dataclasses import dataclass

from trunkline_runtime.failure import Refused
from trunkline_runtime.release.cache import adopting
from trunkline_runtime.release.channel_set import ChannelSet
from trunkline_runtime.release.fetch_artifact import fetch_artifact, fetch_channels
from trunkline_runtime.release.holding import Adoption, adopt, held
from trunkline_runtime.release.load import load_policy
from trunkline_runtime.release.loaded import PolicySnapshot
from trunkline_runtime.release.offer import find_release, offered
from trunkline_runtime.release.opened import releases
from trunkline_runtime.release.pulling import Pulling
from trunkline_runtime.table.channel import POLICY_CHANNEL
from trunkline_runtime.table.layout import POLICY_NAME, sequence_of


@dataclass(frozen=True)
class PulledPolicy:
    """The policy that is current now. `channels` is what the store said of it, if anything."""

    tag: str
    snapshot: PolicySnapshot
    channels: ChannelSet | None


def pull_policy(pulling: Pulling) -> PulledPolicy | None:
    """Adopts the store's newest policy if it is newer than the one held; never an older one.

    None where the store holds none. Raises Refused for one that must not be used, and Unavailable
    where another try may do; what was current still is.
    """
    if not releases(pulling.source, POLICY_NAME):
        return None  # there is none, or its first publish has not come to an end
    with pulling.writing(POLICY_NAME), adopting(pulling.cache, POLICY_NAME):
        before = held(pulling.cache, POLICY_NAME)
        offer = offered(pulling, POLICY_NAME, before)
        tag = offer.live[POLICY_CHANNEL]
        if before is not None and (sequence_of(tag) or 0) < before.highest:
            # A signed channel may take a release back; the policy it may not.
            raise Refused(
                f"the store offers the policy {tag} and v{before.highest} was pulled before; "
                "a policy only moves forward"
            )
        named = find_release(pulling.source, POLICY_NAME, tag, offer)
        entries = fetch_artifact(pulling, POLICY_NAME, tag, named, before)
        snapshot = load_policy(pulling.into, tag, named)
        entries |= fetch_channels(pulling, POLICY_NAME, offer.channels)
        adoption = Adoption({POLICY_CHANNEL: tag}, entries, offer.channels is not None)
        adopt(pulling.cache, POLICY_NAME, adoption, pulling.now)
    return PulledPolicy(tag, snapshot, offer.channels)
