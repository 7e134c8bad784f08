"""A store made of a compiled repository made by hand, and ways to spoil one."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from shop import Shop, new_shop

_TAG = "org.opencontainers.image.ref.name"


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    """Two tenants with one flow each, not published yet; no git."""
    return new_shop(tmp_path)


@pytest.fixture
def blob_of() -> Callable[[Path, str], Path]:
    """The file of a layer by its title, in the newest release of a layout."""

    def find(layout: Path, title: str) -> Path:
        index = json.loads((layout / "index.json").read_bytes())
        tagged = {each["annotations"][_TAG]: each["digest"] for each in index["manifests"]}
        newest = tagged[max((tag for tag in tagged if tag[0] == "v"), key=lambda tag: int(tag[1:]))]
        if title == "manifest":
            return _file(layout, newest)
        manifest = json.loads(_file(layout, newest).read_bytes())
        if title == "config":
            return _file(layout, manifest["config"]["digest"])
        (layer,) = [
            each
            for each in manifest["layers"]
            if each["annotations"]["org.opencontainers.image.title"] == title
        ]
        return _file(layout, layer["digest"])

    return find


def _file(layout: Path, digest: str) -> Path:
    return layout / "blobs" / digest.replace(":", "/")
