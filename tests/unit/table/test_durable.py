"""Durable writes: in the order that survives a power cut, and without leftovers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from trunkline_runtime.table.durable import make_folder, place, replace_durably, sweep_partials
from trunkline_runtime.table.exclusive import Busy, exclusive


def test_bytes_are_synced_before_the_name_and_the_name_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    sync, rename = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        target = Path(f"/proc/self/fd/{handle}").readlink()
        seen.append(f"sync {target.name} {target.stat().st_size if target.is_file() else ''}")
        sync(handle)

    def replace(path: Path, target: Path) -> Path:
        seen.append(f"rename {path.name} {target.name}")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    replace_durably(tmp_path / "index.json", b"12345")
    partial = f".index.json.{os.getpid()}.partial"
    assert seen == [f"sync {partial} 5", f"rename {partial} index.json", f"sync {tmp_path.name} "]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "index.json"
    target.write_bytes(b"old")

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        place(target, b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"index.json": b"old"}


def test_folders_are_made_all_the_way_down(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    make_folder(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir()


def test_sweeping_takes_half_written_files_alone(tmp_path: Path) -> None:
    for name in (".index.json.17.partial", "index.json", ".lock"):
        (tmp_path / name).touch()
    sweep_partials(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"index.json", ".lock"}


def test_a_held_folder_is_busy_and_waiting_helps(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time; from pathlib import Path\n"
            "from trunkline_runtime.table.exclusive import exclusive\n"
            "with exclusive(Path(sys.argv[1])):\n"
            "    print('held', flush=True); time.sleep(60)",
            str(tmp_path),
        ],
        stdout=subprocess.PIPE,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(Busy), exclusive(tmp_path):
        pass
    with pytest.raises(Busy), exclusive(tmp_path, wait_seconds=0.2):
        pass
    # A holder that is killed leaves no lock behind.
    holder.kill()
    holder.wait()
    with exclusive(tmp_path):
        pass
