"""From an opened artifact to a release or a policy that calls can use, self-tested."""

from collections.abc import Iterator, Mapping
from typing import Any

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.failure import Refused
from trunkline_runtime.release.loaded import PolicySnapshot, Release
from trunkline_runtime.release.opened import Opened, check, open_artifact
from trunkline_runtime.release.selftest import problems
from trunkline_runtime.release.shelf import Shelf
from trunkline_runtime.release.source import Source
from trunkline_runtime.table.artifact import (
    FACTS_TITLE,
    FACTS_TYPE,
    OUTCOMES_TITLE,
    OUTCOMES_TYPE,
    POLICY,
    POLICY_DOCUMENT_TYPE,
    RELEASE,
    TABLE_TYPE,
    TENANT_TITLE,
    TENANT_TYPE,
    TOOL_TYPE,
    Descriptor,
    table_title,
    tool_title,
)
from trunkline_runtime.table.layout import POLICY_NAME
from trunkline_runtime.table.node_table import NodeTable, TableError
from trunkline_runtime.table.settings import TenantSettings

_RELEASE_LAYERS = frozenset({TABLE_TYPE, TOOL_TYPE, FACTS_TYPE, OUTCOMES_TYPE, TENANT_TYPE})
_POLICY_LAYERS = frozenset({POLICY_DOCUMENT_TYPE})
# The schema of a policy document by the name of its file; each of `jurisdictions/` has the same.
_POLICY_SCHEMAS = frozenset(
    {
        "accepted",
        "disclosures",
        "dnc",
        "exceptions",
        "obligations",
        "purposes",
        "requirements",
        "spend",
    }
)


def load_release(
    source: Source, tenant: str, tag: str, named: Descriptor, shelf: Shelf | None = None
) -> Release:
    """The release that an index names, proven and self-tested.

    What `shelf` holds already is shared and not read again. Who signed the release is the
    caller's to check. Raises Refused, with one sentence that says what is wrong, for anything
    that isn't sound.
    """
    opened = open_artifact(source, tenant, RELEASE, tag, named)
    _refuse_unknown_layers(opened, _RELEASE_LAYERS)
    release = _release(opened, Shelf() if shelf is None else shelf)
    found = problems(release, opened.config)
    if found:
        more = f" (and {len(found) - 1} more such faults)" if len(found) > 1 else ""
        raise Refused(f"{tenant} {tag} can't be used: {found[0]}{more}")
    return release


def load_policy(source: Source, tag: str, named: Descriptor) -> PolicySnapshot:
    """The policy that an index names, proven, each document checked. Raises Refused."""
    opened = open_artifact(source, POLICY_NAME, POLICY, tag, named)
    _refuse_unknown_layers(opened, _POLICY_LAYERS)
    documents = {path: opened.document(path) for path in sorted(opened.manifest.layers)}
    for path, document in documents.items():
        check(_policy_schema(path, tag), document, f"{path} of the policy {tag}")
    return PolicySnapshot(opened.manifest.content, opened.config["sequence"], documents)


def _release(opened: Opened, shelf: Shelf) -> Release:
    tables = {table.flow: table for table in _tables(opened, shelf)}
    entries = {entry.id: entry for entry in _entries(opened, shelf)}
    if TENANT_TITLE not in opened.manifest.layers:
        raise Refused(f"{opened.name} {opened.tag} lacks the tenant's settings, {TENANT_TITLE}")
    settings = opened.document(TENANT_TITLE)
    check("tenant", settings, f"{TENANT_TITLE} of {opened.name} {opened.tag}")
    config = opened.config
    return Release(
        tenant=config["tenant"],
        tag=opened.tag,
        digest=opened.digest,
        sequence=config["sequence"],
        content=config["content"],
        policy=config["policy"],
        commit=config["commit"],
        compiler=config["compiler"],
        tables=tables,
        entries=entries,
        facts=_catalogue_list(opened, FACTS_TITLE, "facts"),
        outcomes=_catalogue_list(opened, OUTCOMES_TITLE, "outcomes"),
        settings=TenantSettings.from_document(settings),
    )


def _tables(opened: Opened, shelf: Shelf) -> Iterator[NodeTable]:
    for title, layer in _of_type(opened, TABLE_TYPE):

        def load(title: str = title, digest: str = layer.digest) -> NodeTable:
            try:
                return NodeTable.from_layer(opened.document(title), digest)
            except TableError as error:
                raise Refused(f"{title} of {opened.name} {opened.tag}: {error}") from None

        table = shelf.table(layer.digest, load)
        _refuse_other_title(opened, title, table_title(table.flow))
        yield table


def _entries(opened: Opened, shelf: Shelf) -> Iterator[ToolEntry]:
    for title, layer in _of_type(opened, TOOL_TYPE):

        def load(title: str = title) -> ToolEntry:
            return _entry(opened.document(title), f"{title} of {opened.name} {opened.tag}")

        entry = shelf.entry(layer.digest, load)
        _refuse_other_title(opened, title, tool_title(entry.connection, entry.id))
        yield entry


def _entry(document: Any, what: str) -> ToolEntry:
    if not isinstance(document, dict) or not isinstance(document.get("connection"), str):
        raise Refused(f"{what} does not say which connection the tool belongs to")
    own = {key: value for key, value in document.items() if key != "connection"}
    check("tool", own, what)
    return ToolEntry.from_document(document["connection"], own)


def _catalogue_list(opened: Opened, title: str, kind: str) -> Mapping[str, Mapping[str, Any]]:
    if title not in opened.manifest.layers:
        return {}
    document = opened.document(title)
    check(kind, document, f"{title} of {opened.name} {opened.tag}")
    found: Mapping[str, Mapping[str, Any]] = document[kind]
    return found


def _of_type(opened: Opened, media_type: str) -> Iterator[tuple[str, Descriptor]]:
    for title, layer in sorted(opened.manifest.layers.items()):
        if layer.media_type == media_type:
            yield title, layer


def _refuse_unknown_layers(opened: Opened, known: frozenset[str]) -> None:
    """A layer that this version can't read may hold what a call must not run without."""
    for title, layer in opened.manifest.layers.items():
        if layer.media_type not in known:
            raise Refused(
                f"{opened.name} {opened.tag} holds {title} of the type {layer.media_type!r}, "
                "which this version can't read: upgrade trunkline before using it"
            )


def _refuse_other_title(opened: Opened, title: str, proper: str) -> None:
    if title != proper:
        raise Refused(f"{title} of {opened.name} {opened.tag} holds what belongs to {proper}")


def _policy_schema(path: str, tag: str) -> str:
    stem = path.rsplit(".", 1)[0]
    if stem.startswith("jurisdictions/"):
        return "jurisdiction"
    if stem not in _POLICY_SCHEMAS:
        raise Refused(
            f"the policy {tag} holds {path}, which this version can't read: "
            "upgrade trunkline before using it"
        )
    return stem
