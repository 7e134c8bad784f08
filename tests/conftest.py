"""What tests of several rooms stand on: a registry of Debian's, and a bad network before it."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from docker_registry import DockerRegistry
from faulty_proxy import FaultyProxy

_prefixes = itertools.count(1)


@pytest.fixture(scope="session")
def docker_registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DockerRegistry]:
    """A registry that this process of the tests has for itself."""
    registry = DockerRegistry(tmp_path_factory.mktemp("registry")).start()
    yield registry
    registry.kill()


@pytest.fixture
def registry(docker_registry: DockerRegistry) -> str:
    """The address of an empty store in a registry."""
    return f"oci://{docker_registry.host}/test-{next(_prefixes)}"


@pytest.fixture
def proxy(docker_registry: DockerRegistry) -> Iterator[FaultyProxy]:
    """A proxy before the registry; its faults are the test's to choose."""
    found = FaultyProxy(docker_registry.host)
    yield found
    found.stop()


@pytest.fixture
def registry_folder(tmp_path: Path) -> Path:
    """Where a test that needs a registry of its own lets it keep its data."""
    return tmp_path / "own-registry"
