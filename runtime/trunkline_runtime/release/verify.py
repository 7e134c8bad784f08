"""Verification of a whole store or cache: every release, and all that is wrong with a bad one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.channel_set import channels_of, expired, read_channels
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.opened import manifest_at, tags
from trunkline_runtime.release.proof import read_proven
from trunkline_runtime.release.source import Source, check_name
from trunkline_runtime.release.trusted import Keys, check_signature, keys_here, signature_of
from trunkline_runtime.table.artifact import POLICY, RELEASE, Descriptor
from trunkline_runtime.table.channel import Channel
from trunkline_runtime.table.layout import POLICY_NAME


@dataclass(frozen=True)
class Verdict:
    """One artifact or channel, and why it is refused: a sentence for each fault, none if sound.

    `tag` and `digest` are None where the index itself can't be read; `tag` is `channel NAME` for
    a channel, and `says` what that says. `signers` are the trusted keys that signed it.
    """

    name: str
    tag: str | None
    digest: str | None
    faults: tuple[str, ...]
    signers: tuple[str, ...] = field(default=())
    says: str | None = None


def verify(
    source: Source,
    name: str | None = None,
    tag: str | None = None,
    keys: Keys | None = None,
    now: datetime | None = None,
) -> tuple[Verdict, ...]:
    """Verifies everything that a store or a cache holds, or what `name` and `tag` single out.

    `keys` are those that this machine trusts unless others are given. Reads every byte and
    changes nothing. Raises FatalError if there is nothing of that name.
    """
    trusted = keys_here() if keys is None else keys
    moment = datetime.now(UTC) if now is None else now
    if name is None:
        tenants = source.tenants()
        everything = [*([POLICY_NAME] if source.holds(POLICY_NAME) else []), *tenants]
        return tuple(
            verdict for each in everything for verdict in _verify(source, each, trusted, moment)
        )
    check_name(name)
    if not source.holds(name):
        known = [*([POLICY_NAME] if source.holds(POLICY_NAME) else []), *source.tenants()]
        raise FatalError(f"there is no {name!r} here; there is: {', '.join(known)}")
    if tag is None:
        found = tuple(_verify(source, name, trusted, moment))
    else:
        named = source.find(name, tag)
        found = () if named is None else (_release(source, name, tag, named, trusted),)
    if not found:
        raise FatalError(f"there is no {name}{f':{tag}' if tag else ''} here")
    return found


def _verify(source: Source, name: str, keys: Keys, now: datetime) -> Iterator[Verdict]:
    try:
        listed = tags(source, name)
        channels = channels_of(source, name)
    except Refused as error:
        yield Verdict(name, None, None, (str(error),))
        return
    for tag, named in listed.items():
        yield _release(source, name, tag, named, keys)
    if channels is not None:
        yield from _channels(source, name, channels, listed, keys, now)


def _release(source: Source, name: str, tag: str, named: Descriptor, keys: Keys) -> Verdict:
    faults: list[str] = []
    signers: tuple[str, ...] = ()
    try:
        signature = signature_of(source, name, named)
        signers = check_signature(source, name, tag, named, signature, keys)
    except Refused as error:
        faults.append(str(error))
    faults += _faults(source, name, tag, named)
    return Verdict(name, tag, named.digest, tuple(faults), signers)


def _faults(source: Source, name: str, tag: str, named: Descriptor) -> Iterator[str]:
    """Each bad blob; with sound blobs, what a pull would refuse in what they say."""
    kind = POLICY if name == POLICY_NAME else RELEASE
    try:
        manifest = manifest_at(source, name, kind, named)
    except Refused as error:
        yield str(error)
        return
    broken = False
    for wanted in (manifest.config, *manifest.layers.values()):
        try:
            read_proven(source, name, wanted)
        except Refused as error:
            broken = True
            yield str(error)
    if broken:
        return
    try:
        if name == POLICY_NAME:
            load_policy(source, tag, named)
        else:
            load_release(source, name, tag, named)
    except Refused as error:
        yield str(error)


def _channels(
    source: Source,
    name: str,
    named: Descriptor,
    listed: dict[str, Descriptor],
    keys: Keys,
    now: datetime,
) -> Iterator[Verdict]:
    try:
        found = read_channels(source, name, named, keys)
    except Refused as error:
        yield Verdict(name, "channels", named.digest, (str(error),))
        return
    for own, channel in sorted(found.channels.items()):
        faults = tuple(_channel_faults(channel, listed, now))
        yield Verdict(
            name, f"channel {own}", channel.digest, faults, found.signers[own], _says(channel)
        )


def _channel_faults(
    channel: Channel, listed: dict[str, Descriptor], now: datetime
) -> Iterator[str]:
    if expired(channel, now):
        yield (
            f"it expired on {channel.expires:%Y-%m-%d %H:%M} UTC: publishing again renews it, and "
            "until then what was current stays so"
        )
    target = listed.get(channel.release)
    if target is None:
        yield f"it takes {channel.release}, which is not here"
    elif target.digest != channel.digest:
        yield f"it was pointed at another {channel.release} than the one that is here"


def _says(channel: Channel) -> str:
    held = ", held" if channel.hold else ""
    return (
        f"takes {channel.release} ({channel.percent}%{held}) since {channel.at:%Y-%m-%d %H:%M} "
        f"UTC, by {channel.by}: {channel.reason}"
    )
