"""What a stranger may hand over: too large, no archive, no JSON, or what trunkline wrote."""

import io
import json
import zipfile

import pytest

from trunkline.forge.handover import MAX_BYTES, Unusable, read_zip


def packed(data: bytes, name: str = "changes.json", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", method) as file:
        file.writestr(name, data)
    return archive.getvalue()


def damaged() -> bytes:
    data = bytearray(packed(json.dumps({"changes": list(range(2000))}).encode()))
    data[60:80] = bytes(20)
    return bytes(data)


def test_an_object_is_read_whatever_else_is_in_the_archive() -> None:
    archive = io.BytesIO(packed(b'{"version": 1}'))
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("../../etc/passwd", "x")
    assert read_zip(archive.getvalue()) == {"version": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"not a zip", "no archive that can be read"),
        (packed(b"{}")[:-30], "no archive that can be read"),
        (damaged(), "no archive that can be read"),
        (packed(b"{}", "other.json"), "no changes.json"),
        # A bomb: 4 MiB of nothing are 4 KiB in the archive.
        (packed(bytes(MAX_BYTES + 1)), "too large"),
        (packed(b"[" * 200_000), "no JSON"),
        (packed(b"\xff\xfe{}"), "no JSON"),
        (packed(b"[1]"), "not what trunkline diff writes"),
    ],
    ids=["text", "cut", "damaged", "other-name", "bomb", "deep", "bytes", "list"],
)
def test_anything_else_is_refused_in_words(data: bytes, message: str) -> None:
    with pytest.raises(Unusable, match=message):
        read_zip(data)
