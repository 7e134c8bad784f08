"""A lock on a folder, which may go with the folder that nothing came of."""

import threading
from pathlib import Path

import pytest

from trunkline_runtime.table.durable import make_folder
from trunkline_runtime.table.exclusive import LOCK_FILE, Busy, exclusive, take_away


def test_a_folder_of_which_nothing_came_goes_with_those_above_it(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    made = make_folder(folder)
    assert made == [tmp_path / "a", folder]
    with exclusive(folder):
        take_away(folder, made)
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_or_holds_something_stays(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    folder.mkdir(parents=True)
    assert make_folder(folder) == []
    with exclusive(folder):
        take_away(folder, [])
    assert (folder / LOCK_FILE).exists()
    (folder / "blob").touch()
    with exclusive(folder):
        take_away(folder, [tmp_path / "a", folder])
    assert (folder / "blob").exists()


def test_who_waited_for_a_folder_that_went_away_does_not_hold_a_ghost(tmp_path: Path) -> None:
    """Two would otherwise be in at once: one with the old lock file, one with the new."""
    folder = tmp_path / "a"
    folder.mkdir()
    waiting, in_it, done = threading.Event(), threading.Event(), threading.Event()

    def wait() -> None:
        waiting.set()
        with exclusive(folder, 10):
            in_it.set()
            done.wait(10)

    thread = threading.Thread(target=wait)
    with exclusive(folder):
        thread.start()
        waiting.wait(10)
        # As `take_away` does, and then somebody begins the folder anew.
        (folder / LOCK_FILE).unlink()
        with exclusive(folder):
            assert not in_it.wait(0.3)
    assert in_it.wait(10)
    with pytest.raises(Busy), exclusive(folder):
        pass
    done.set()
    thread.join(10)
