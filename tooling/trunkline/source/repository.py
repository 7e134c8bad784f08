"""Reads every file of a repository: documents to rely on, and the findings of the rest."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from trunkline.finding import START, Finding, error, in_order, warning
from trunkline.nearest import did_you_mean
from trunkline.source.document import Document
from trunkline.source.fit import fit_findings, identity_findings
from trunkline.source.layout import is_shared, kind_of
from trunkline.source.reader import read_document
from trunkline.source.tree import YAML_ENDINGS, Tree, WorkingTree, read_bytes


@dataclass(frozen=True)
class Sources:
    """The files of one repository, as read.

    `documents` are those that fit their schema, by path, sorted; `broken` are the paths of the
    others. `findings` are all of TL0xx, TL101 and TL102, sorted. `tree` holds the files.
    """

    documents: Mapping[str, Document]
    broken: tuple[str, ...]
    findings: tuple[Finding, ...]
    tree: Tree | None = None

    def of_kind(self, kind: str) -> Iterator[Document]:
        """The documents of one kind, in the order of their paths."""
        return (document for document in self.documents.values() if document.kind == kind)


def read_repository(root: Path | Tree) -> Sources:
    """Reads all files below `root` (or of another tree, such as a commit).

    Raises FatalError if there is no repository.
    """
    tree = WorkingTree(root) if isinstance(root, Path) else root
    fitting: dict[str, Document] = {}
    broken: list[str] = []
    findings: list[Finding] = []
    for path in tree.paths():
        kind = kind_of(path)
        if kind is None:
            continue
        document, reasons = read_file(path, kind, *read_bytes(tree, path))
        findings += reasons
        if document is None:
            broken.append(path)
        else:
            fitting[path] = document
    findings += unread_files(tree, tree.paths())
    findings += identity_findings(fitting.values(), broken)
    return Sources(fitting, tuple(broken), in_order(findings), tree)


def read_file(
    path: str, kind: str, raw: bytes | None, why: str
) -> tuple[Document | None, list[Finding]]:
    """The document in a file, or None and all that keeps it from being relied on.

    `raw` is None, and `why` says why, for a file whose bytes cannot be read.
    """
    if raw is None:
        return None, [error("TL001", path, START, why)]
    document, reasons = read_document(path, kind, raw)
    if document is not None:
        reasons = fit_findings(document)
    return (None if reasons else document), reasons


def unread_files(tree: Tree, paths: Iterable[str]) -> Iterator[Finding]:
    """What is told of files that nothing reads and of links that are not followed.

    `paths` are all of the repository that `tree` holds.
    """
    kinds = {path: kind_of(path) for path in paths}
    for path, kind in kinds.items():
        if not path.endswith(YAML_ENDINGS):
            help = (
                "Put the folder itself there: no link is followed out of the repository or around."
            )
            yield error("TL001", path, START, read_bytes(tree, path)[1], help)
        elif kind is None:
            help = "The name of a file ends in `.yaml`; docs/architecture.md shows what lies where."
            message = "nothing reads a file of this name in this place"
            yield warning("TL105", path, START, message, help)
        elif kind == "scenarios" and kinds.get(_played(path)) != "flow":
            yield _unplayed(path, kinds)


def _unplayed(path: str, kinds: Mapping[str, str | None]) -> Finding:
    folder, name = path.split("/")[1], path.rsplit("/", 1)[1].removesuffix(".yaml")
    message = f"{folder} has no flow `{name}`, so these scenarios are never played"
    flows = [
        flow.removeprefix(f"flows/{folder}/").removesuffix(".yaml")
        for flow, kind in kinds.items()
        if kind == "flow" and flow.startswith(f"flows/{folder}/")
    ]
    help = did_you_mean(name, flows) or "The file has the name of the flow that it plays."
    if is_shared(path):
        help = "A shared flow is played where a tenant uses it: put the file beside that flow."
    return warning("TL105", path, START, message, help)


def _played(path: str) -> str:
    """The file of the flow that a file of scenarios plays; a shared flow is played by nobody."""
    return "" if is_shared(path) else path.replace("/scenarios/", "/")
