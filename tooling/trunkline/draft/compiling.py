"""Compiles a proposed flow inside its repository, and tells the findings that are its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from trunkline.compile import Compiled, compile_repository
from trunkline.draft.proposed import ProposedTree
from trunkline.finding import Finding
from trunkline.model.repository import Repository
from trunkline.source import Document
from trunkline.source.reader import read_document
from trunkline.source.tree import WorkingTree


@dataclass(frozen=True)
class Proposal:
    """A flow's text as it was compiled. `findings` are those of the file, and new ones elsewhere.

    `document` is None if the text cannot be read.
    """

    text: str
    document: Document | None
    findings: tuple[Finding, ...]
    compiled: Compiled = field(repr=False)

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make `check` fail."""
        return tuple(each for each in self.findings if each.severity == "error")


class Workbench:
    """A repository on disk, and what it would be with another text of one flow."""

    def __init__(self, root: Path, path: str) -> None:
        """Raises FatalError if `root` is no repository."""
        self.root, self.path = root, path
        self._tree = WorkingTree(root)

    @cached_property
    def _before(self) -> Compiled:
        return compile_repository(self._tree)

    @property
    def repository(self) -> Repository:
        """The repository as it is on disk."""
        return self._before.repository

    def propose(self, text: str, others: Mapping[str, str] | None = None) -> Proposal:
        """Compiles the repository with this text in place of the flow's; writes nothing."""
        compiled = compile_repository(ProposedTree(self._tree, {**(others or {}), self.path: text}))
        known = set(self._before.findings)
        findings = tuple(
            each for each in compiled.findings if each.path == self.path or each not in known
        )
        document, _ = read_document(self.path, "flow", text.encode("utf-8"))
        return Proposal(text, document, findings, compiled)
