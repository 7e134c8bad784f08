"""Findings and the lines that they stand on, for the tests of the reports."""

import pytest

from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.source.tree import UnreadableError


class FilesInMemory:
    """A tree of texts."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def paths(self) -> list[str]:
        return sorted(self.files)

    def read(self, path: str) -> bytes:
        if path not in self.files:
            raise UnreadableError("it is not there")
        return self.files[path].encode()


@pytest.fixture
def excerpts() -> Excerpts:
    return Excerpts(
        FilesInMemory(
            {
                "flows/acme/a.yaml": "id: a\nstart: ünd\r\nsupport: '+12025550143'\n" + "x" * 500,
                "flows/acme/b.yaml": "日本: &a\n",
            }
        )
    )


@pytest.fixture
def findings() -> list[Finding]:
    return [
        Finding(
            "TL401", "error", "flows/acme/a.yaml", 2, 8, 2, 11, "not proven", "Add it.", ("a", "b")
        ),
        Finding("TL204", "warning", "flows/acme/a.yaml", 3, 1, 4, 5, "over two lines"),
        Finding("TL003", "error", "flows/acme/b.yaml", 1, 5, 1, 7, "an anchor"),
        Finding("TL101", "error", "flows/gone/tenant.yaml", 1, 1, 1, 1, "no tenant.yaml"),
    ]
