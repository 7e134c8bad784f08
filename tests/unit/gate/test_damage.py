"""A record that was altered: nothing more is written there, and the chain goes on beside it."""

import logging
import multiprocessing
from pathlib import Path

import pytest

from trunkline_runtime.failure import FatalError
from trunkline_runtime.gate.chain import Verified, records, segment_paths, verify
from trunkline_runtime.gate.decision_log import HEAD_FILE, DecisionLog
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.shipping import CopyDiffers, ship

FIRST, SECOND = "decisions-00000001.jsonl", "decisions-00000002.jsonl"


def filled(folder: Path, count: int = 6) -> list[bytes]:
    log = DecisionLog(folder)
    for number in range(count):
        log.append({"kind": "tool", "number": number})
    return (folder / FIRST).read_bytes().splitlines(keepends=True)


def checked(folder: Path) -> Verified:
    head = folder / HEAD_FILE
    return verify(folder, head.read_text() if head.exists() else None)


def altered(lines: list[bytes], place: int) -> list[bytes]:
    changed = lines[place].replace(b'"tool"', b'"dial"')
    return [*lines[:place], changed, *lines[place + 1 :]]


def removed(lines: list[bytes], place: int) -> list[bytes]:
    return lines[:place] + lines[place + 1 :]


@pytest.mark.parametrize("how", [altered, removed])
@pytest.mark.parametrize("place", range(6))
def test_wherever_it_is_a_restart_finds_it_and_goes_on_in_a_new_file(
    tmp_path: Path, how, place: int, caplog: pytest.LogCaptureFixture
) -> None:
    lines = filled(tmp_path)
    damaged = b"".join(how(lines, place))
    (tmp_path / FIRST).write_bytes(damaged)
    with caplog.at_level(logging.ERROR):
        for number in (6, 7):
            DecisionLog(tmp_path).append({"kind": "tool", "number": number})
    assert (tmp_path / FIRST).read_bytes() == damaged
    noted, *after = [dict(line) for line in records(tmp_path)][-3:]
    assert noted["kind"] == "damage"
    assert (noted["file"], noted["line"]) == (FIRST, place + 1)
    assert [line["number"] for line in after] == [6, 7]
    assert [message for message in caplog.messages if "damaged" in message] == [
        f"the record is damaged: {FIRST} line {place + 1}: {noted['message']}; "
        f"it goes on in {SECOND}"
    ]
    # It still shows, and what came after it verifies.
    result = checked(tmp_path)
    assert (result.fault.file, result.fault.line) == (FIRST, place + 1)
    assert result.fault.noted == SECOND
    assert len(result.faults) == 1
    assert result.lines == place + 3


@pytest.mark.parametrize("how", [altered, removed])
@pytest.mark.parametrize("place", [0, 2, 5])
def test_once_the_lines_are_put_back_all_of_it_verifies(tmp_path: Path, how, place: int) -> None:
    lines = filled(tmp_path)
    (tmp_path / FIRST).write_bytes(b"".join(how(lines, place)))
    DecisionLog(tmp_path).append({"kind": "tool", "number": 6})
    (tmp_path / FIRST).write_bytes(b"".join(lines))
    result = checked(tmp_path)
    assert (result.lines, result.fault) == (8, None)


def test_a_removed_end_shows_though_more_was_written_since(tmp_path: Path) -> None:
    """The next line would have overwritten the note of how far the chain went."""
    lines = filled(tmp_path)
    (tmp_path / FIRST).write_bytes(b"".join(lines[:3]))
    log = DecisionLog(tmp_path)
    for number in range(4):
        log.append({"kind": "tool", "number": number})
    fault = checked(tmp_path).fault
    assert (fault.line, fault.message) == (4, "lines at the end were removed")


def test_the_whole_record_removed_shows_though_more_was_written_since(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / FIRST).unlink()
    DecisionLog(tmp_path).append({"kind": "tool"})
    assert [line["kind"] for line in records(tmp_path)] == ["damage", "tool"]
    assert checked(tmp_path).fault.message == "lines at the end were removed"


def test_a_process_that_runs_sees_what_is_wrong_in_what_others_wrote(tmp_path: Path) -> None:
    mine = DecisionLog(tmp_path)
    mine.append({"kind": "tool", "who": "me"})
    other = DecisionLog(tmp_path)
    other.append({"kind": "tool", "who": "other"})
    other.append({"kind": "tool", "who": "other"})
    lines = (tmp_path / FIRST).read_bytes().splitlines(keepends=True)
    (tmp_path / FIRST).write_bytes(b"".join(altered(lines, 1)))
    mine.append({"kind": "tool", "who": "me"})
    other.append({"kind": "tool", "who": "other"})
    kinds = [line["kind"] for line in records(tmp_path)]
    assert kinds == ["tool", "dial", "tool", "damage", "tool", "tool"]
    assert [fault.noted for fault in checked(tmp_path).faults] == [SECOND]


def test_damage_in_several_files_is_told_each(tmp_path: Path) -> None:
    for number in range(3):
        DecisionLog(tmp_path).append({"kind": "tool", "number": number})
        path = segment_paths(tmp_path)[-1]
        path.write_bytes(path.read_bytes().replace(b'"tool"', b'"dial"'))
    DecisionLog(tmp_path).append({"kind": "tool"})
    result = checked(tmp_path)
    assert [(fault.file, fault.noted) for fault in result.faults] == [
        (f"decisions-0000000{n}.jsonl", f"decisions-0000000{n + 1}.jsonl") for n in (1, 2, 3)
    ]
    assert result.lines == 4


def test_a_line_that_notes_damage_hides_none(tmp_path: Path) -> None:
    """Somebody who cuts out lines cannot excuse it with such a line of their own."""
    lines = filled(tmp_path)
    (tmp_path / FIRST).write_bytes(b"".join(lines[:2]))
    forged = tmp_path / "forged"
    (forged / "decisions").mkdir(parents=True)
    log = DecisionLog(forged / "decisions")
    log.append({"kind": "damage", "file": FIRST, "line": 3, "message": "nothing"})
    (tmp_path / SECOND).write_bytes((forged / "decisions" / FIRST).read_bytes())
    assert checked(tmp_path).fault.file == FIRST


def test_a_file_begun_by_one_who_could_not_write_into_it_is_begun_again(tmp_path: Path) -> None:
    lines = filled(tmp_path)
    (tmp_path / FIRST).write_bytes(b"".join(altered(lines, 3)))
    (tmp_path / SECOND).touch()
    DecisionLog(tmp_path).append({"kind": "tool"})
    assert [line["kind"] for line in records(tmp_path)][-2:] == ["damage", "tool"]
    assert checked(tmp_path).fault.noted == SECOND


def test_the_copy_elsewhere_stays_whole_and_gets_what_comes_after(tmp_path: Path) -> None:
    record, copy = tmp_path / "record", tmp_path / "copy"
    lines = filled(record)
    ship(record, copy)
    (record / FIRST).write_bytes(b"".join(altered(lines, 2)))
    DecisionLog(record).append({"kind": "tool", "number": 6})
    ship(record, copy)
    assert checked(copy).fault is None
    assert [line["kind"] for line in records(copy)][-2:] == ["damage", "tool"]
    # A file of another length is told each time; the others are copied all the same.
    (record / FIRST).write_bytes(b"".join(removed(lines, 2)))
    DecisionLog(record).append({"kind": "tool", "number": 7})
    with pytest.raises(CopyDiffers):
        ship(record, copy)
    assert [line["number"] for line in records(copy) if "number" in line][-1] == 7
    assert checked(copy).fault is None


def _append(folder: str, who: int) -> None:
    log = DecisionLog(Path(folder), largest=4000)
    for number in range(20):
        log.append({"kind": "tool", "who": who, "number": number})


def test_processes_that_find_it_at_once_note_it_once(tmp_path: Path) -> None:
    lines = filled(tmp_path)
    (tmp_path / FIRST).write_bytes(b"".join(altered(lines, 1)))
    fork = multiprocessing.get_context("fork")
    writers = [fork.Process(target=_append, args=(str(tmp_path), who)) for who in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    assert [line["kind"] for line in records(tmp_path)].count("damage") == 1
    result = checked(tmp_path)
    assert [fault.noted for fault in result.faults] == [SECOND]
    assert result.lines == 1 + 1 + 80


def opened(state: Path) -> PolicyGate:
    return PolicyGate.open(lambda: None, lambda _: None, state)  # type: ignore[arg-type,return-value]


def test_a_worker_tells_it_when_it_starts(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch
) -> None:
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_NUMBER_KEY", "TRUNKLINE_RECORD_COPY"):
        monkeypatch.delenv(name, raising=False)
    opened(tmp_path)
    assert not (tmp_path / "decisions").exists()
    lines = filled(tmp_path / "decisions")
    opened(tmp_path)
    assert caplog.messages == []
    (tmp_path / "decisions" / FIRST).write_bytes(b"".join(altered(lines, 1)))
    opened(tmp_path)
    assert [line["kind"] for line in records(tmp_path / "decisions")][-1] == "damage"
    assert "the record is damaged" in caplog.text


def test_a_worker_does_not_start_where_its_record_cannot_be_read(
    tmp_path: Path, monkeypatch
) -> None:
    for name in ("TRUNKLINE_LEDGER_URL", "TRUNKLINE_NUMBER_KEY", "TRUNKLINE_RECORD_COPY"):
        monkeypatch.delenv(name, raising=False)
    filled(tmp_path / "decisions")
    (tmp_path / "decisions" / "lock").unlink()
    (tmp_path / "decisions" / "lock").mkdir()
    with pytest.raises(FatalError, match="no decision could be kept"):
        opened(tmp_path)
