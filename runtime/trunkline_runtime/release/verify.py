"""Verification of a whole store or cache: every release, and all that is wrong with a bad one."""

from collections.abc import Iterator
from dataclasses import dataclass

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.load import load_policy, load_release
from trunkline_runtime.release.opened import manifest_at, tags
from trunkline_runtime.release.proof import read_proven
from trunkline_runtime.release.source import Source, check_name
from trunkline_runtime.table.artifact import POLICY, RELEASE, Descriptor
from trunkline_runtime.table.layout import POLICY_NAME


@dataclass(frozen=True)
class Verdict:
    """One artifact, and why it is refused: a sentence for each fault, none if it is sound.

    `tag` and `digest` are None where the index itself can't be read.
    """

    name: str
    tag: str | None
    digest: str | None
    faults: tuple[str, ...]


def verify(source: Source, name: str | None = None, tag: str | None = None) -> tuple[Verdict, ...]:
    """Verifies everything that a store or a cache holds, or what `name` and `tag` single out.

    Reads every byte and changes nothing. Raises FatalError if there is nothing of that name.
    """
    tenants = source.tenants()
    everything = [*([POLICY_NAME] if source.holds(POLICY_NAME) else []), *tenants]
    if name is None:
        return tuple(verdict for each in everything for verdict in _verify(source, each, None))
    check_name(name)
    if name not in everything:
        raise FatalError(f"there is no {name!r} here; there is: {', '.join(everything)}")
    found = tuple(_verify(source, name, tag))
    if not found:
        raise FatalError(f"there is no {name}{f':{tag}' if tag else ''} here")
    return found


def _verify(source: Source, name: str, only: str | None) -> Iterator[Verdict]:
    try:
        listed = tags(source, name)
    except Refused as error:
        yield Verdict(name, None, None, (str(error),))
        return
    for tag, named in listed.items():
        if only in (None, tag):
            yield Verdict(name, tag, named.digest, tuple(_faults(source, name, tag, named)))


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
