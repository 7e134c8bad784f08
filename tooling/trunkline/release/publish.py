"""Publishing: the policy first, then a release for each tenant whose content changed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trunkline.release import git
from trunkline.release.layers import Compilation, Layer, content_of, policy_layers, tenant_layers
from trunkline.release.store import add, config_of, newest_first, writing
from trunkline_runtime.table.artifact import POLICY, RELEASE, TABLE_TYPE, ArtifactKind
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.layout import POLICY_NAME

_SHA = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True)
class Published:
    """What the store now holds newest for a tenant (or `_policy`), and whether it is new.

    `flows` maps a flow to the digest of its node table; `git_tag` is what became of the tag
    `<tenant>/vN`, None where there is no commit to tag.
    """

    name: str
    tag: str
    sequence: int
    digest: str
    content: str
    new: bool
    flows: Mapping[str, str]
    git_tag: git.TagState | None = None


@dataclass(frozen=True)
class Publication:
    """One run of publish. `policy` is None for a repository without policy documents."""

    store: Path
    commit: git.Commit | None
    policy: Published | None
    releases: tuple[Published, ...]


def publish(
    compiled: Compilation, store: Path, root: Path, compiler: str, tenants: Sequence[str]
) -> Publication:
    """Publishes the policy and the releases of `tenants` from the repository at `root`.

    `compiled` has no errors. Each artifact appears in the store in one step, the policy before
    the releases that were checked against it. What is unchanged gets no new tag. Raises
    FatalError for a folder that is no store or a damaged one, Busy if another publish runs, and
    OSError when the disk refuses; each artifact is then the old one or the new one.
    """
    commit = git.commit_of(root)
    made_by: dict[str, Json] = {"compiler": compiler, "commit": str(commit) if commit else None}
    documents = policy_layers(compiled)
    with writing(store):
        policy = _publish(store, POLICY_NAME, POLICY, documents, made_by) if documents else None
        checked = {**made_by, "policy": content_of(documents)}
        releases = [_publish_tenant(compiled, store, tenant, checked) for tenant in tenants]
        tag = _tagger(root, store) if commit else _untagged
        return Publication(
            store,
            commit,
            tag(policy, POLICY) if policy else None,
            tuple(tag(release, RELEASE) for release in releases),
        )


def _publish_tenant(
    compiled: Compilation, store: Path, tenant: str, made_by: Mapping[str, Json]
) -> Published:
    layers = tenant_layers(compiled, tenant)
    flows = _flows(layers)
    return _publish(
        store, tenant, RELEASE, layers, {**made_by, "tenant": tenant, "flows": flows}, flows
    )


def _publish(
    store: Path,
    name: str,
    kind: ArtifactKind,
    layers: Sequence[Layer],
    made_by: Mapping[str, Json],
    flows: Mapping[str, str] | None = None,
) -> Published:
    def config(sequence: int, content: str) -> Mapping[str, Json]:
        named: dict[str, Json] = {"sequence": sequence, "content": content}
        return {"schema": kind.config_schema, **named, **made_by}

    found, new = add(store / name, kind, layers, config)
    return Published(
        name, found.tag, found.sequence, found.digest, found.manifest.content, new, flows or {}
    )


def _flows(layers: Sequence[Layer]) -> dict[str, str]:
    return {
        layer.title.removeprefix("flows/").removesuffix(".json"): layer.descriptor.digest
        for layer in layers
        if layer.descriptor.media_type == TABLE_TYPE
    }


def _untagged(published: Published, kind: ArtifactKind) -> Published:
    return published


def _tagger(root: Path, store: Path) -> Callable[[Published, ArtifactKind], Published]:
    """Tags in git what the store holds: what is new, and what a killed publish left untagged."""
    known = git.tags(root)

    def tag(published: Published, kind: ArtifactKind) -> Published:
        state: git.TagState | None = None
        folder = store / published.name
        for artifact in newest_first(folder, kind):
            sha = str(config_of(folder, artifact).get("commit"))
            name = f"{published.name}/{artifact.tag}"
            newest = artifact.tag == published.tag
            if not _SHA.fullmatch(sha):
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
