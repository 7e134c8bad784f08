"""A tenant: its systems, its numbers and the words that its flows may use."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from trunkline.model.place import Place
from trunkline.source.document import Document


@dataclass(frozen=True, slots=True, eq=False)
class Tenant:
    """What `flows/<id>/tenant.yaml` says; `id` is the folder, `written` the document."""

    id: str
    place: Place
    written: Mapping[str, Any]

    @property
    def connections(self) -> frozenset[str]:
        """The systems that the tenant has connected."""
        return frozenset(self.written.get("connections", {}))

    @property
    def numbers(self) -> frozenset[str]:
        """The names of its numbers."""
        return frozenset(self.written.get("numbers", {}))

    @property
    def inbound(self) -> Mapping[str, str]:
        """Dialled number → id of the flow that answers it."""
        inbound: Mapping[str, str] = self.written.get("inbound", {})
        return inbound

    @property
    def vars(self) -> frozenset[str]:
        """The names under `tenant.vars`."""
        return frozenset(self.written.get("vars", {}))

    @classmethod
    def read(cls, document: Document) -> "Tenant":
        return cls(PurePosixPath(document.path).parent.name, Place(document), document.data)
