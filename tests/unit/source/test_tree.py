"""Files that can do harm when they are opened: each is a TL001, and none is waited for."""

import os
import shutil
import socket
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from trunkline.checking.check import check_repository
from trunkline.failure import FatalError
from trunkline.finding import Finding
from trunkline.source import read_repository
from trunkline.source.tree import WorkingTree

_BASE = Path(__file__).parents[2] / "examples/cases/base"
_BAD = "flows/acme/bad.yaml"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return Path(shutil.copytree(_BASE, tmp_path / "repository"))


def _folder(file: Path) -> None:
    file.mkdir()


def _pipe(file: Path) -> None:
    os.mkfifo(file)


def _device(file: Path) -> None:
    file.symlink_to("/dev/zero")


def _socket(file: Path) -> None:
    listening = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(file.parent)  # the name of a socket may have 100 characters at most
    try:
        listening.bind(file.name)
    finally:
        os.chdir(here)
        listening.close()


def _link_out(file: Path) -> None:
    outside = file.parents[3] / "outside.yaml"
    outside.write_text("schema_version: 1\n")
    file.symlink_to(outside)


def _dangling_link(file: Path) -> None:
    file.symlink_to(file.parent / "gone.yaml")


def _link_to_itself(file: Path) -> None:
    file.symlink_to(file)


def _too_large(file: Path) -> None:
    with file.open("wb") as opened:
        opened.truncate(10 * 1024 * 1024)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_folder, "this is a folder, not a file"),
        (_pipe, "this is a device or a pipe, not a file"),
        (_socket, "this is a device or a pipe, not a file"),
        (_device, "this is a link to a file outside the repository"),
        (_link_out, "this is a link to a file outside the repository"),
        (_dangling_link, "this is a link to a file that is not there"),
        (_link_to_itself, "this is a link that leads to itself"),
        (_too_large, "this file is too large: more than 1024 KiB"),
    ],
)
def test_files_that_are_not_to_be_read(
    repository: Path, make: Callable[[Path], None], message: str
) -> None:
    make(repository / _BAD)
    before = time.monotonic()
    sources = read_repository(repository)
    assert time.monotonic() - before < 1
    assert [(found.code, found.path, found.message) for found in sources.findings] == [
        ("TL001", _BAD, message)
    ]
    assert sources.broken == (_BAD,)


def test_a_file_without_permission(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / _BAD).write_text("id: bad\n")
    opens = os.open

    def refuses(file: Path, flags: int) -> int:
        if Path(file).name == "bad.yaml":
            raise PermissionError(13, "Permission denied")
        return opens(file, flags)

    monkeypatch.setattr(os, "open", refuses)
    findings = read_repository(repository).findings
    assert [(found.code, found.message) for found in findings] == [
        ("TL001", "there is no permission to read it")
    ]


def test_a_link_inside_the_repository_is_read(repository: Path) -> None:
    (repository / "flows/globex").mkdir()
    tenant = (repository / "flows/acme/tenant.yaml").read_text().replace("acme", "globex")
    (repository / "tenant.txt").write_text(tenant)
    (repository / "flows/globex/tenant.yaml").symlink_to(repository / "tenant.txt")
    sources = read_repository(repository)
    assert sources.findings == ()
    assert "flows/globex/tenant.yaml" in sources.documents


@pytest.mark.parametrize(
    ("link", "target", "message"),
    [
        ("flows/globex", "/usr", "this is a link to a folder outside the repository"),
        ("flows/globex", "/nowhere", "this is a link to a folder outside the repository"),
        ("flows/globex", "../gone", "this is a link to a folder that is not there"),
        ("flows/globex", "globex", "this is a link that leads to itself"),
        ("flows/globex", "..", "this is a link to a folder that it stands in itself"),
        ("flows/acme/scenarios", ".", "this is a link to a folder that it stands in itself"),
        ("catalog/tools/x", "..", "this is a link to a folder that it stands in itself"),
        ("policy/jurisdictions", "/usr", "this is a link to a folder outside the repository"),
        ("policy", "/usr", "this is a link to a folder outside the repository"),
    ],
)
def test_a_folder_that_leads_out_or_in_a_circle_is_told_once(
    repository: Path, link: str, target: str, message: str
) -> None:
    place = repository / link
    shutil.rmtree(place, ignore_errors=True)
    place.symlink_to(target)
    expected = [("TL001", link, message)]
    alone = [each for each in read_repository(repository).findings if each.path == link]
    assert [(each.code, each.path, each.message) for each in alone] == expected
    found = check_repository(repository, date(2026, 11, 30), clean=True)
    told = [(each.code, each.path, each.message) for each in found if each.path.startswith(link)]
    assert told == expected


def test_a_folder_of_flows_that_is_a_link_out_is_told(repository: Path, tmp_path: Path) -> None:
    (repository / "flows").rename(tmp_path / "moved")
    (repository / "flows").symlink_to(tmp_path / "moved")
    findings = read_repository(repository).findings
    assert [(each.path, each.message) for each in findings] == [
        ("flows", "this is a link to a folder outside the repository")
    ]


def test_a_folder_link_inside_the_repository_is_entered(repository: Path) -> None:
    (repository / "flows/acme").rename(repository / "kept")
    (repository / "flows/acme").symlink_to("../kept")
    assert "flows/acme/tenant.yaml" in WorkingTree(repository).paths()
    assert read_repository(repository).findings == ()


def test_notes_and_locks_that_are_links_are_nobodys_business(repository: Path) -> None:
    (repository / "flows/acme/README.md").symlink_to("/etc/hostname")
    (repository / "flows/acme/.#lock").symlink_to("someone@desk.4711")
    (repository / "flows/acme/.round").symlink_to(".round")
    (repository / "flows/acme/LICENSE").symlink_to("/etc/hostname")
    assert read_repository(repository).findings == ()


def test_paths_are_sorted_and_only_those_of_the_three_folders(repository: Path) -> None:
    (repository / "docs").mkdir()
    (repository / "docs/note.yaml").write_text("a: b\n")
    (repository / "flows/acme/notes.md").write_text("# notes\n")
    names = WorkingTree(repository).paths()
    assert names == sorted(names)
    assert names[0] == "catalog/facts.yaml"
    assert not [name for name in names if "note" in name]


@pytest.mark.parametrize(
    "path",
    ["flows/acme/x.yml", "policy/windows.yaml", "flows/x.yaml", "flows/acme/scenarios/a/b.yaml"],
)
def test_a_file_that_nothing_reads_is_told(repository: Path, path: str) -> None:
    (repository / path).parent.mkdir(parents=True, exist_ok=True)
    (repository / path).write_text("a: b\n")
    findings: tuple[Finding, ...] = read_repository(repository).findings
    assert [(found.code, found.severity, found.path) for found in findings] == [
        ("TL105", "warning", path)
    ]


def test_a_name_that_is_not_utf_8(repository: Path) -> None:
    name = os.fsdecode(b"caf\xe9.yaml")
    (repository / "flows/acme" / name).write_text("a: b\n")
    assert [found.code for found in read_repository(repository).findings][:1] == ["TL101"]


@pytest.mark.parametrize("there", [True, False])
def test_no_repository_is_fatal(tmp_path: Path, there: bool) -> None:
    root = tmp_path / "nothing"
    if there:
        root.mkdir()
    with pytest.raises(FatalError, match=r"nothing: there is no (such folder|folder flows/)"):
        read_repository(root)


def test_a_repository_without_a_tenant_is_read(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    sources = read_repository(tmp_path)
    assert (dict(sources.documents), sources.findings) == ({}, ())


def test_a_folder_of_flows_without_a_tenant_is_told_once(repository: Path) -> None:
    folder = repository / "flows/globex"
    folder.mkdir()
    clean = (_BASE.parent / "reading/clean.yaml").read_text()
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(clean.replace("id: clean", f"id: {name}"))
    findings = read_repository(repository).findings
    assert [(found.code, found.path) for found in findings] == [
        ("TL101", "flows/globex/tenant.yaml")
    ]
