"""Names that must agree, be unique, or be meant: ids and rules (TL102), channels (TL701)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from trunkline.finding import START, Finding, error, warning
from trunkline.nearest import only_near
from trunkline.source.document import Document, Step
from trunkline.source.layout import kind_of

# What workers follow where nothing else is said, and what a trial is called in the docs.
_CHANNELS = ("stable", "canary")
_NAMED_BY_FILE = ("flow", "tool")


def identity_findings(documents: Iterable[Document], broken: Iterable[str]) -> list[Finding]:
    """Findings on ids over a whole repository. `documents` fit their schema; `broken` do not."""
    read = list(documents)
    paths = [document.path for document in read] + list(broken)
    return [
        *(found for document in read for found in name_findings(document)),
        *_twice((document, ("id",)) for document in read if document.kind == "tool"),
        *_twice(rule for document in read for rule in _rules(document)),
        *_without_tenant(paths),
    ]


def name_findings(document: Document) -> Iterator[Finding]:
    """A finding if the id of a document is not the name of its file or folder."""
    id = document.data.get("id") if isinstance(document.data, dict) else None
    if document.kind in _NAMED_BY_FILE and id != document.stem:
        message = f"the id `{id}` differs from the file's name"
        help = f"Write id: {document.stem}, or rename the file to {id}.yaml."
        yield error("TL102", document.path, document.mark(["id"]), message, help)
    elif document.kind == "tenant" and id != document.folder:
        message = f"the id `{id}` differs from the folder's name"
        help = f"Write id: {document.folder}, or rename the folder to {id}."
        yield error("TL102", document.path, document.mark(["id"]), message, help)
    elif document.kind == "channels":
        yield from _channels(document)


def _channels(document: Document) -> Iterator[Finding]:
    """Names of channels that are one letter away from a channel that workers know (TL701)."""
    for name in document.data.keys() - {"schema_version", *_CHANNELS}:
        meant = only_near(name, [each for each in _CHANNELS if each not in document.data])
        if meant is not None:
            message = f"no worker follows a channel `{name}` unless it is told to"
            found = warning(
                "TL701",
                document.path,
                document.mark([name], "key"),
                message,
                f"Did you mean `{meant}`?",
            )
            yield replace(found, rename=(name, meant))


def _rules(document: Document) -> Iterator[tuple[Document, tuple[Step, ...]]]:
    """Where the ids of a policy document's rules stand."""
    if not document.path.startswith("policy/") or not isinstance(document.data, dict):
        return
    for key, rules in document.data.items():
        for index, rule in enumerate(rules if isinstance(rules, list) else ()):
            if isinstance(rule, dict) and "id" in rule:
                yield document, (key, index, "id")


def _twice(ids: Iterable[tuple[Document, tuple[Step, ...]]]) -> Iterator[Finding]:
    """A finding for each id that an earlier file or line has already."""
    first: dict[object, tuple[Document, tuple[Step, ...]]] = {}
    for document, path in ids:
        id = document.data
        for step in path:
            id = id[step]
        if id not in first:
            first[id] = (document, path)
            continue
        other, other_path = first[id]
        where = f"{other.path} line {other.mark(other_path).line}"
        message = f"the id `{id}` is used twice: also in {where}"
        yield error("TL102", document.path, document.mark(path), message, "Rename one of them.")


def _without_tenant(paths: list[str]) -> Iterator[Finding]:
    """Folders that hold flows and no tenant.yaml."""
    known = {path.split("/")[1] for path in paths if kind_of(path) == "tenant"}
    owners = {path.split("/")[1] for path in paths if kind_of(path) in ("flow", "scenarios")}
    for tenant in sorted(owners - known - {"shared"}):
        message = f"the tenant {tenant} has no tenant.yaml"
        help = f"`trunkline new tenant {tenant}` writes one."
        yield error("TL101", f"flows/{tenant}/tenant.yaml", START, message, help)
