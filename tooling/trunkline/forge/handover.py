"""What the check hands to the comment: one JSON file, which a stranger may have written.

The workflow that makes it comes from the pull request. So its size is capped before it is
downloaded, while it is downloaded and while it is unpacked, and its shape is checked.
"""

import io
import json
import lzma
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

from trunkline.forge.github import GitHub, TooLarge

ARTIFACT = "changes"
MEMBER = "changes.json"
MAX_ZIP_BYTES = 1024 * 1024
MAX_BYTES = 4 * 1024 * 1024
_DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError)


class Unusable(Exception):
    """What was handed over can't be shown; the message says why, in words for the comment."""


def handed_over(github: GitHub, run: int) -> Mapping[str, Any]:
    """The JSON object that a run uploaded as the artifact `changes`. Raises Unusable."""
    return read_zip(_download(github, run))


def _download(github: GitHub, run: int) -> bytes:
    found = github.every(f"actions/runs/{run}/artifacts", "artifacts", name=ARTIFACT)
    artifacts = [one for one in found if one["name"] == ARTIFACT and not one["expired"]]
    if not artifacts:
        raise Unusable("the check did not come as far as comparing the flows")
    newest = max(artifacts, key=lambda one: int(one["id"]))  # a run that was started again
    if int(newest["size_in_bytes"]) > MAX_ZIP_BYTES:
        raise Unusable("the list of changes is too large to be read here")
    try:
        return github.download(f"actions/artifacts/{int(newest['id'])}/zip", MAX_ZIP_BYTES)
    except TooLarge:
        raise Unusable("the list of changes is too large to be read here") from None


def read_zip(data: bytes) -> Mapping[str, Any]:
    """The JSON object in a downloaded artifact. Raises Unusable."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, archive.open(MEMBER) as member:
            text = member.read(MAX_BYTES + 1)
    except KeyError:
        raise Unusable(f"the check handed over no {MEMBER}") from None
    except (*_DAMAGED, NotImplementedError, RuntimeError):  # the last: a password
        raise Unusable("what the check handed over is no archive that can be read") from None
    if len(text) > MAX_BYTES:
        raise Unusable("the list of changes is too large to be read here")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise Unusable("the list of changes is no JSON") from None
    if not isinstance(found, dict):
        raise Unusable("the list of changes is not what trunkline diff writes")
    return found
