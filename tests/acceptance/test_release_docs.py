"""docs/releasing.md and docs/runbook.md, tried as they are written, against a real registry."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from doc_console import Shell, tried
from docker_registry import DockerRegistry

from trunkline_runtime.release.transport import HttpTransport
from trunkline_runtime.table.registry import reading, writing
from trunkline_runtime.table.registry.address import read_address
from trunkline_runtime.table.registry.session import Session

TOP = Path(__file__).parents[2]
EXAMPLE = "oci://registry.example/flows"


@pytest.fixture
def own(registry_folder: Path) -> Iterator[DockerRegistry]:
    registry = DockerRegistry(registry_folder).start()
    yield registry
    registry.kill()


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    """A terminal in a clone of a repository with the starter tenants."""
    folder = tmp_path / "repository"
    for part in ("flows", "catalog", "policy"):
        shutil.copytree(TOP / part, folder / part)
    programs = Path(sys.executable).parent
    found = Shell(
        folder,
        {
            "PATH": f"{programs}:/usr/bin:/bin:/usr/sbin:/sbin",
            "TRUNKLINE_STATE_DIR": str(tmp_path / "state"),
            "TRUNKLINE_CACHE_DIR": str(tmp_path / "graphs"),
            "GIT_CEILING_DIRECTORIES": str(tmp_path),
            "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig"),
            "HOME": str(tmp_path),
            "TRUNKLINE_SIGNING_KEY": "",
            "TRUNKLINE_TRUSTED_KEYS": "",
            "TRUNKLINE_STORE": "",
        },
    )
    for command in (
        "git config --global user.name Grace",
        "git config --global user.email grace@example.com",
        "git init --quiet && git add . && git commit --quiet --message 'The starter tenants'",
    ):
        assert found.run(command) == (0, [])
    yield found
    found.close()


def test_releasing(shell: Shell, own: DockerRegistry) -> None:
    written = {EXAMPLE: f"oci://{own.host}/flows"}
    assert tried(TOP / "docs/releasing.md", shell, {}, written) > 15


def test_runbook(shell: Shell, own: DockerRegistry, tmp_path: Path) -> None:
    """A store with two releases of two tenants, the newer made by one merge that is bad."""
    address = f"oci://{own.host}/flows"
    tool = "catalog/tools/billing/get_invoice.yaml"
    for command in (
        "trunkline key new release.pem",
        f"export TRUNKLINE_STORE={address} TRUNKLINE_SIGNING_KEY=release.pem",
        "trunkline publish",
        f"sed -i 's/timeout_seconds: /timeout_seconds: 1/' {tool}",
        "git commit --quiet --all --message 'A longer wait for invoices'",
        "trunkline publish",
    ):
        code, printed = shell.run(command)
        assert code == 0, printed

    def tamper() -> None:
        """Puts v2's manifest under the tag v1, as no publish would."""
        session = Session(HttpTransport(), read_address(address))
        v2 = reading.manifest(session, "flows/northwind-energy", "v2")
        assert isinstance(v2, reading.Found)
        writing.put_manifest(session, "flows/northwind-energy", "v1", v2.data)

    stages = {
        "somebody writes to the registry": tamper,
        "the registry is down": own.kill,
        "the registry is back": lambda: own.start() and None,
    }
    written = {EXAMPLE: address, "/tmp/trunkline-runbook": str(tmp_path / "runbook")}
    assert tried(TOP / "docs/runbook.md", shell, stages, written) > 25


def test_a_document_that_shows_something_else_fails(shell: Shell, tmp_path: Path) -> None:
    document = tmp_path / "wrong.md"
    for text in ("$ echo one\ntwo\n", "$ false\n", "$ true\n? 1\n", "$ echo one\n"):
        document.write_text(f"```console\n{text}```\n")
        with pytest.raises(AssertionError, match=r"wrong.md:2: "):
            tried(document, shell, {}, {})
    document.write_text("```console\n$ printf 'a  b\\nc\\n'\na b\n…\n$ true\n```\n")
    assert tried(document, shell, {}, {}) == 2


def test_no_other_block_hides_a_command() -> None:
    """Every shell command of the two pages is tried, but the one that needs GitHub."""
    for name in ("releasing", "runbook"):
        text = (TOP / f"docs/{name}.md").read_text(encoding="utf-8")
        others = text.split("```sh\n")[1:]
        assert all(block.startswith("gh attestation verify") for block in others)
