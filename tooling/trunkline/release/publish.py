"""Publishing: the policy first, then a release for each tenant whose content changed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from trunkline.release import git
from trunkline.release.channel_plan import VALID, Declared, Occasion
from trunkline.release.layers import Compilation, Layer, content_of, policy_layers, tenant_layers
from trunkline.release.movers import movers
from trunkline.release.planning import Asked, Plan, plan
from trunkline.release.signing import UNSIGNED, Signing
from trunkline.release.store import Store, config_of, newest_first
from trunkline_runtime.table.artifact import POLICY, RELEASE, TABLE_TYPE, ArtifactKind
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.channel import Channel
from trunkline_runtime.table.layout import POLICY_NAME

_In = TypeVar("_In")
_Out = TypeVar("_Out")


@dataclass(frozen=True)
class Published:
    """What the store now holds newest for a tenant (or `_policy`), and whether it is new.

    `flows` maps a flow to the digest of its node table; `channels` are what the tenant's channels
    say now, and `moved` those of them that say something new; `git_tag` is what became of the tag
    `<tenant>/vN`, None where there is no commit to tag; `mended` blobs of an unchanged release were
    altered or lost in the store, and are written again.
    """

    name: str
    tag: str
    sequence: int
    digest: str
    content: str
    new: bool
    flows: Mapping[str, str]
    channels: tuple[Channel, ...] = ()
    moved: frozenset[str] = frozenset()
    git_tag: git.TagState | None = None
    mended: int = 0


@dataclass(frozen=True)
class Publication:
    """One run of publish. `policy` is None for a repository without policy documents.

    `store` is how its user calls it, `key` the id of the key that signed; None if nothing is.
    """

    store: str
    commit: git.Commit | None
    policy: Published | None
    releases: tuple[Published, ...]
    key: str | None = None


@dataclass(frozen=True)
class Terms:
    """How a publish goes about it: who signs, what the time is, how long channels last.

    `channels` maps a tenant to its `channels.yaml`, if it has one.
    """

    signing: Signing = UNSIGNED
    channels: Mapping[str, Declared] = field(default_factory=dict)
    now: datetime | None = None
    valid: timedelta = VALID


def publish(
    compiled: Compilation,
    store: Store,
    root: Path,
    compiler: str,
    tenants: Sequence[str],
    terms: Terms | None = None,
) -> Publication:
    """Publishes the policy and the releases of `tenants` from the repository at `root`.

    `compiled` has no errors. All is planned before anything is written. Then each artifact appears
    in the store in one step with its signature and channels, the policy before the releases that
    were checked against it. What is unchanged gets no new tag. Raises FatalError for what is no
    store or a damaged one, Busy if another publish runs, and OSError when the disk refuses; each
    artifact is then the old one or the new one.
    """
    terms = terms or Terms()
    commit = git.commit_of(root)
    made_by: dict[str, Json] = {"compiler": compiler, "commit": str(commit) if commit else None}
    documents = policy_layers(compiled)
    checked = {**made_by, "policy": content_of(documents)}
    changed, released = movers(root, commit)
    now = terms.now or datetime.now(UTC)
    occasion = Occasion(now, terms.valid, changed, released, terms.signing.resign)

    def planned(asked: Asked) -> Plan:
        return plan(store, terms.signing, occasion, asked)

    with store.writing():
        policy = planned(_policy(documents, made_by)) if documents else None
        asked = (_tenant(compiled, name, checked, terms.channels) for name in tenants)
        plans = _each(store, planned, asked)
        if policy is not None:
            policy.carry_out(store)
        _each(store, lambda one: one.carry_out(store), plans)
        tag = _tagger(root, store) if commit else _untagged
        return Publication(
            store.place,
            commit,
            tag(_published(policy), POLICY) if policy else None,
            tuple(tag(_published(one), RELEASE) for one in plans),
            terms.signing.key_id,
        )


def _policy(documents: Sequence[Layer], made_by: Mapping[str, Json]) -> Asked:
    return _asked(POLICY_NAME, POLICY, documents, made_by, {})


def _tenant(
    compiled: Compilation,
    tenant: str,
    made_by: Mapping[str, Json],
    channels: Mapping[str, Declared],
) -> Asked:
    layers = tenant_layers(compiled, tenant)
    said: dict[str, Json] = {**made_by, "tenant": tenant, "flows": _flows(layers)}
    return _asked(tenant, RELEASE, layers, said, channels.get(tenant, {}))


def _asked(
    name: str,
    kind: ArtifactKind,
    layers: Sequence[Layer],
    made_by: Mapping[str, Json],
    channels: Declared,
) -> Asked:
    def config(sequence: int, content: str) -> Mapping[str, Json]:
        named: dict[str, Json] = {"sequence": sequence, "content": content}
        return {"schema": kind.config_schema, **named, **made_by}

    return Asked(name, kind, layers, config, channels)


def _each(store: Store, do: Callable[[_In], _Out], things: Iterable[_In]) -> list[_Out]:
    """`do` for each, as many at once as the store likes; the first failure is raised."""
    if store.threads == 1:
        return [do(each) for each in things]
    with ThreadPoolExecutor(store.threads) as pool:
        return list(pool.map(do, things))


def _published(found: Plan) -> Published:
    artifact = found.artifact
    return Published(
        found.name,
        artifact.tag,
        artifact.sequence,
        artifact.digest,
        artifact.manifest.content,
        found.new,
        {
            title.removeprefix("flows/").removesuffix(".json"): layer.digest
            for title, layer in artifact.manifest.layers.items()
            if layer.media_type == TABLE_TYPE
        },
        tuple(channel for _, channel in sorted(found.channels.items())),
        found.moved,
        mended=found.mended,
    )


def _flows(layers: Sequence[Layer]) -> dict[str, str]:
    return {
        layer.title.removeprefix("flows/").removesuffix(".json"): layer.descriptor.digest
        for layer in layers
        if layer.descriptor.media_type == TABLE_TYPE
    }


def _untagged(published: Published, kind: ArtifactKind) -> Published:
    return published


def _tagger(root: Path, store: Store) -> Callable[[Published, ArtifactKind], Published]:
    """Tags in git what the store holds: what is new, and what a killed publish left untagged."""
    known = git.tags(root)

    def tag(published: Published, kind: ArtifactKind) -> Published:
        state: git.TagState | None = None
        for artifact in newest_first(store, published.name, kind):
            sha = str(config_of(store, published.name, artifact).get("commit"))
            name = f"{published.name}/{artifact.tag}"
            newest = artifact.tag == published.tag
            if not git.SHA.fullmatch(sha):
                continue  # made from a working tree that no commit describes
            if name in known:
                made: git.TagState = "there" if known[name] == sha else "elsewhere"
            else:
                made = git.make_tag(root, name, sha) if git.has_commit(root, sha) else "absent"
            state = made if newest else state
            if made != "made":
                break  # an earlier publish came this far, or another clone made the rest
        return replace(published, git_tag=state)

    return tag
