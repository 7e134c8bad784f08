"""Do-Not-Call lists as files: digest checked, numbers normalised, nothing skipped in silence."""

import hashlib
from datetime import timedelta
from pathlib import Path

import pytest

from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.list_folder import ListFolder, UnreadableList, numbers_of
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.scope import Scope


def rule_for(data: bytes, uri: str = "list.txt") -> DoNotCallList:
    return DoNotCallList(
        "registry",
        "mandatory",
        Scope(),
        uri=uri,
        sha256=hashlib.sha256(data).hexdigest(),
        obtained_at=instant("2026-11-29T00:00:00Z"),
        max_age=timedelta(days=31),
    )


def test_both_ways_of_writing_a_number_are_the_same_number(tmp_path: Path) -> None:
    """Another product compared a list without normalising the numbers in it."""
    data = b"212,5550143\r\n+13125550143\n\n"
    (tmp_path / "list.txt").write_bytes(data)
    lists = ListFolder(tmp_path)
    assert lists(rule_for(data), "+12125550143") == "listed"
    assert lists(rule_for(data), "+13125550143") == "listed"
    assert lists(rule_for(data), "+12125550144") == "clear"


def test_missing_altered_and_unreadable_lists_are_told_apart(tmp_path: Path) -> None:
    data = b"212,5550143\n"
    lists = ListFolder(tmp_path)
    assert lists(rule_for(data), "+12125550143") == "missing"
    (tmp_path / "list.txt").write_bytes(data[:-5])
    assert lists(rule_for(data), "+12125550143") == "mismatch"
    broken = b"212,5550143\n2125550143\n"
    (tmp_path / "list.txt").write_bytes(broken)
    assert lists(rule_for(broken), "+12125550199") == "unreadable"
    (tmp_path / "list.txt").unlink()
    (tmp_path / "list.txt").mkdir()
    assert lists(rule_for(data), "+12125550143") == "unreadable"


def test_a_list_that_is_replaced_is_read_anew(tmp_path: Path) -> None:
    old, new = b"212,5550143\n", b"212,5550144\n"
    path = tmp_path / "list.txt"
    path.write_bytes(old)
    lists = ListFolder(tmp_path)
    assert lists(rule_for(old), "+12125550143") == "listed"
    prepared = tmp_path / "new.txt"
    prepared.write_bytes(new)
    prepared.replace(path)
    assert lists(rule_for(old), "+12125550143") == "mismatch"
    assert lists(rule_for(new), "+12125550143") == "clear"


def test_a_list_kept_elsewhere_has_its_copy_under_its_own_name(tmp_path: Path) -> None:
    data = b"212,5550143\n"
    (tmp_path / "registry").write_bytes(data)
    lists = ListFolder(tmp_path)
    assert lists(rule_for(data, "https://lists.example/registry"), "+12125550143") == "listed"


def test_a_bad_line_is_named_by_its_place_and_never_shown() -> None:
    with pytest.raises(UnreadableList, match=r"^line 2 is no number$"):
        numbers_of(b"212,5550143\nhello\n")
