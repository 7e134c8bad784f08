"""The record: chained, durable, shared by processes, and honest about what a crash tore."""

import json
import multiprocessing
from pathlib import Path

import pytest

from trunkline_runtime.gate import decision_log
from trunkline_runtime.gate.chain import records, segment_paths, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE, DecisionLog


def fault_of(folder: Path):
    head = folder / HEAD_FILE
    return verify(folder, head.read_text() if head.exists() else None).fault


def filled(folder: Path, count: int = 6) -> list[bytes]:
    log = DecisionLog(folder)
    for number in range(count):
        log.append({"kind": "tool", "number": number})
    (path,) = segment_paths(folder)
    return path.read_bytes().splitlines(keepends=True)


def rewrite(folder: Path, lines: list[bytes]) -> None:
    (path,) = segment_paths(folder)
    path.write_bytes(b"".join(lines))


def test_a_record_that_nobody_touched_verifies(tmp_path: Path) -> None:
    filled(tmp_path)
    result = verify(tmp_path, (tmp_path / HEAD_FILE).read_text())
    assert (result.lines, result.fault) == (6, None)


@pytest.mark.parametrize("place", range(6))
def test_a_line_that_was_removed_shows(tmp_path: Path, place: int) -> None:
    lines = filled(tmp_path)
    rewrite(tmp_path, lines[:place] + lines[place + 1 :])
    assert fault_of(tmp_path) is not None


@pytest.mark.parametrize("place", range(6))
def test_a_line_that_was_altered_shows(tmp_path: Path, place: int) -> None:
    lines = filled(tmp_path)
    lines[place] = lines[place].replace(b'"tool"', b'"dial"')
    rewrite(tmp_path, lines)
    assert fault_of(tmp_path).line == place + 1


@pytest.mark.parametrize("place", range(6))
def test_a_line_altered_with_its_hash_made_anew_shows(tmp_path: Path, place: int) -> None:
    lines = filled(tmp_path)
    body = json.loads(lines[place])
    forged = DecisionLog(tmp_path / "forged")
    forged.append({"kind": "forged"})
    other = json.loads(segment_paths(tmp_path / "forged")[0].read_bytes())
    lines[place] = json.dumps({**other, "seq": body["seq"], "prev": body["prev"]}).encode() + b"\n"
    rewrite(tmp_path, lines)
    assert fault_of(tmp_path) is not None


def test_lines_that_changed_places_or_came_twice_show(tmp_path: Path) -> None:
    lines = filled(tmp_path)
    rewrite(tmp_path, [lines[1], lines[0], *lines[2:]])
    assert fault_of(tmp_path) is not None
    rewrite(tmp_path, [*lines, lines[-1]])
    assert fault_of(tmp_path) is not None


def test_the_whole_record_removed_shows(tmp_path: Path) -> None:
    filled(tmp_path)
    segment_paths(tmp_path)[0].unlink()
    assert fault_of(tmp_path) is not None


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_torn_last_line_is_cut_off_and_told(tmp_path: Path, cut: int) -> None:
    lines = filled(tmp_path)
    rewrite(tmp_path, [*lines, lines[-1][:-cut]])
    DecisionLog(tmp_path).append({"kind": "tool", "number": 6})
    kinds = [record["kind"] for record in records(tmp_path)]
    assert kinds == ["tool"] * 6 + ["torn", "tool"]
    assert fault_of(tmp_path) is None


def test_a_first_line_that_was_torn_is_cut_off(tmp_path: Path) -> None:
    lines = filled(tmp_path, 1)
    rewrite(tmp_path, [lines[0][:40]])
    (tmp_path / HEAD_FILE).unlink()
    DecisionLog(tmp_path).append({"kind": "tool"})
    assert [record["kind"] for record in records(tmp_path)] == ["torn", "tool"]
    assert fault_of(tmp_path) is None


def test_the_chain_runs_through_files_of_bounded_size(tmp_path: Path) -> None:
    for number in range(12):
        # A new object each time, as after a restart.
        DecisionLog(tmp_path, largest=700).append({"kind": "tool", "number": number})
    assert len(segment_paths(tmp_path)) > 2
    assert [record["number"] for record in records(tmp_path)] == list(range(12))
    assert fault_of(tmp_path) is None
    segment_paths(tmp_path)[1].unlink()
    assert fault_of(tmp_path) is not None


def test_appending_lists_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, others = DecisionLog(tmp_path, largest=700), DecisionLog(tmp_path, largest=700)
    mine.append({"kind": "tool", "number": 0})
    others.append({"kind": "tool", "number": 1})
    listed: list[Path] = []

    def counted(folder: Path) -> list[Path]:
        listed.append(folder)
        return segment_paths(folder)

    monkeypatch.setattr(decision_log, "segment_paths", counted)
    for number in range(2, 8):
        mine.append({"kind": "tool", "number": number})
    assert not listed
    others.append({"kind": "tool", "number": 8})  # the file that it knew is no longer the newest
    assert len(listed) == 1
    assert len(segment_paths(tmp_path)) > 2
    result = verify(tmp_path, (tmp_path / HEAD_FILE).read_text())
    assert (result.lines, result.fault) == (9, None)


def test_a_process_that_begins_checks_no_more_than_one_file(tmp_path: Path) -> None:
    log = DecisionLog(tmp_path)
    for number in range(12):
        log.append({"kind": "tool", "number": number, "text": "x" * 1_000_000})
    paths = segment_paths(tmp_path)
    assert max(path.stat().st_size for path in paths) < 6_000_000
    opened = DecisionLog(tmp_path)
    opened.look()
    assert opened._open is not None
    assert opened._open.path == paths[-1]
    assert opened._open.lines < 6


def _append(folder: str, who: int, count: int) -> None:
    log = DecisionLog(Path(folder), largest=4000)
    for number in range(count):
        log.append({"kind": "tool", "who": who, "number": number})


def test_several_processes_write_one_chain(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_append, args=(str(tmp_path), who, 25)) for who in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert fault_of(tmp_path) is None
    for who in range(4):
        numbers = [record["number"] for record in records(tmp_path) if record["who"] == who]
        assert numbers == list(range(25))
