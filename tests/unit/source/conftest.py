"""Reading a text as if it were a file, for the tests of reading."""

from collections.abc import Callable

import pytest

from trunkline.finding import Finding
from trunkline.source.document import Document
from trunkline.source.reader import read_document

Read = Callable[[str | bytes], tuple[Document | None, list[Finding]]]


@pytest.fixture
def read() -> Read:
    """Reads text or bytes as a flow."""

    def reads(content: str | bytes) -> tuple[Document | None, list[Finding]]:
        raw = content.encode() if isinstance(content, str) else content
        return read_document("flows/acme/x.yaml", "flow", raw)

    return reads
