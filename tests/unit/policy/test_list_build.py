"""The registry's files into a generation, and what a generation answers."""

import hashlib
import json
import os
import random
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest

from trunkline.commands.main import run
from trunkline.policy.registry_columns import runs
from trunkline_runtime.policy.clock import instant
from trunkline_runtime.policy.list_folder import ListFolder
from trunkline_runtime.policy.list_generation import PAGE, Generation, UnusableGeneration
from trunkline_runtime.policy.rule import DoNotCallList
from trunkline_runtime.policy.scope import Scope

FULL = b"212,5550143\n212,5550199\r\n305,5550100\n"


@pytest.fixture
def build(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Builds `list.dnc` and gives the exit code, the JSON answer and what was said beside it."""

    def command(*words: object):
        capsys.readouterr()
        code = run(
            ["policy", "dnc", "build", "--out", str(tmp_path / "list.dnc"), "--format", "json"]
            + [str(word) for word in words]
        )
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out else None, printed.err

    return command


@pytest.fixture
def file(tmp_path: Path):
    def written(data: bytes, name: str = "full.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return written


def on_list(path: Path, *numbers: int) -> list[bool]:
    generation = Generation.open(path)
    return [generation.holds(number) for number in numbers]


def test_a_full_list_with_either_line_end(build, file, tmp_path) -> None:
    code, answer, _ = build(file(FULL))
    assert code == 0
    assert (answer["count"], answer["areas"], answer["added"]) == (3, ["212", "305"], 3)
    assert answer["sources"] == [
        {"name": "full.txt", "sha256": hashlib.sha256(FULL).hexdigest(), "lines": 3}
    ]
    numbers = (2125550143, 2125550199, 3055550100, 2125550144, 3055550101, 4155550100)
    assert on_list(tmp_path / "list.dnc", *numbers) == [True] * 3 + [False] * 3


def test_the_first_and_the_last_number_of_an_area_code(build, file, tmp_path) -> None:
    build(file(b"200,2000000\n999,9999999"))
    assert on_list(tmp_path / "list.dnc", 2002000000, 2002000001, 9999999999, 9999999998) == [
        True,
        False,
        True,
        False,
    ]


def test_zipped_files_of_several_area_codes(build, tmp_path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("212.txt", b"212,5550143\n")
        archive.writestr("305.txt", b"305,5550100\n")
    code, answer, _ = build(tmp_path / "all.zip")
    assert (code, answer["count"]) == (0, 2)


def test_a_change_list_adds_and_deletes_in_its_order(build, file, tmp_path) -> None:
    build(file(FULL))
    changes = (
        b"212,5550143,2026-11-28,D\r\n"
        b"415,5550100,2026-11-28,A\n"
        b'415,5550101,"2026-11-28","Add"\n'
        b"415,5550101,2026-11-29,delete\n"
    )
    code, answer, _ = build(
        "--base", tmp_path / "list.dnc", "--changes", file(changes, "changes.txt")
    )
    assert (code, answer["added"], answer["deleted"], answer["count"]) == (0, 2, 2, 3)
    numbers = (2125550143, 2125550199, 4155550100, 4155550101)
    assert on_list(tmp_path / "list.dnc", *numbers) == [False, True, True, False]


@pytest.mark.parametrize(
    "bad",
    [
        b"2125550143",
        b"212,555014",
        b"112,5550143",
        b"212,1550143",
        b"212,5550143,A",
        b"<number>2125550143</number>",
        b"\xff\xfe",
    ],
)
def test_bad_lines_are_counted_named_and_never_shown(build, file, tmp_path, bad: bytes) -> None:
    path = file(b"212,5550143\n" + bad + b"\n\n305,5550100\n")
    code, answer, err = build(path)
    assert (code, answer) == (1, None)
    assert "1 bad line, each" in err
    assert "full.txt line 2" in err
    assert "5550143" not in err
    assert not (tmp_path / "list.dnc").exists()
    code, answer, _ = build(path, "--bad-lines", 1)
    assert (code, answer["count"]) == (0, 2)
    assert answer["bad_lines"] == [{"file": "full.txt", "line": 2}]


@pytest.mark.parametrize(
    "bad", [b"212,5550143", b"212,5550143,2026-11-28", b"212,5550143,A,D", b"212,5550143,X"]
)
def test_a_change_that_does_not_say_which_is_a_bad_line(build, file, bad: bytes) -> None:
    code, _, err = build(file(FULL), "--changes", file(bad + b"\n", "changes.txt"))
    assert code == 1
    assert "changes.txt line 1" in err


def test_a_file_of_another_digest_is_refused(build, file, tmp_path) -> None:
    path = file(FULL)
    good = hashlib.sha256(FULL).hexdigest()
    assert build(path, "--sha256", good)[0] == 0
    before = (tmp_path / "list.dnc").read_bytes()
    code, _, err = build(path, "--sha256", "0" * 64)
    assert code == 2
    assert good in err
    assert build(path, "--sha256", good, "--sha256", good)[0] == 2
    assert (tmp_path / "list.dnc").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "at least one file"),
        (("--changes", "changes.txt"), "--base"),
        (("nothing.txt",), "nothing.txt"),
        (("--base", "nothing.dnc", "--changes", "changes.txt"), "nothing.dnc: No such file"),
        (("--base", __file__, "--changes", "changes.txt"), "that `policy dnc build` has written"),
        ((__file__, "--bad-lines", "-1"), "--bad-lines"),
        ((__file__, "--sha256", "1", "--sha256", "2"), "given 2 times for 1 file(s)"),
        ((os.devnull,), "hold no number"),
        (("--changes", os.devnull, "--complete", os.devnull), "hold no number"),
        ((str(Path(__file__).parent),), "Is a directory"),
    ],
)
def test_bad_input_gives_one_message_and_writes_nothing(build, tmp_path, words, says) -> None:
    code, _, err = build(*words)
    assert code == 2
    assert says in err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_list_at_all_is_told_what_one_looks_like(build, file) -> None:
    code, _, err = build(file(b"id,name\n1,Ann\n"))
    assert code == 1
    assert "a full list has AAA,NNNNNNN on each line" in err
    assert "--bad-lines 2 builds without what is bad" in err
    code, _, err = build(file(b"212,5550143,2026-11-28,D\n"))
    assert "a change list, which goes behind --changes" in err
    # Accepting all of them leaves a list that would let every call through.
    code, _, err = build(file(b"id,name\n"), "--bad-lines", 9, "--complete")
    assert code == 2
    assert "hold no number" in err


def test_a_file_without_line_ends_is_not_read_into_memory(build, file, tmp_path) -> None:
    code, _, err = build(file(b"2" * 12_000_000))
    assert code == 2
    assert "full.txt line 1 does not end" in err


def test_a_folder_is_no_file_to_write(tmp_path, file, capsys) -> None:
    words = ["policy", "dnc", "build", str(file(FULL)), "--out", str(tmp_path)]
    assert run(words) == 2
    assert "this is a folder; --out names the file" in capsys.readouterr().err


def rule(digest: str) -> DoNotCallList:
    return DoNotCallList(
        "registry",
        "mandatory",
        Scope(),
        uri="list.dnc",
        sha256=digest,
        obtained_at=instant("2026-11-29T00:00:00Z"),
        max_age=timedelta(days=31),
    )


def test_a_generation_answers_for_the_list_that_the_policy_names(build, file, tmp_path) -> None:
    _, answer, _ = build(file(FULL))
    lists = ListFolder(tmp_path)
    registry = rule(answer["sha256"])
    assert lists(registry, "+12125550143") == "listed"
    assert lists(registry, "+12125550144") == "clear"
    assert lists(rule("0" * 64), "+12125550144") == "mismatch"
    # Nobody knows about an area code that was not in the files, unless they are the whole list.
    assert lists(registry, "+14155550100") == "missing"
    _, answer, _ = build(file(FULL), "--complete")
    assert lists(rule(answer["sha256"]), "+14155550100") == "clear"


def test_the_same_numbers_give_the_same_digest(build, file, tmp_path) -> None:
    _, first, _ = build(file(FULL))
    _, second, _ = build(file(FULL))
    assert first["sha256"] == second["sha256"]
    _, other, _ = build(file(FULL + b"305,5550101\n"))
    assert other["sha256"] != first["sha256"]


def test_a_swap_leaves_those_who_have_it_open_alone(build, file, tmp_path) -> None:
    build(file(FULL))
    old = Generation.open(tmp_path / "list.dnc")
    build(file(b"212,5550100\n"))
    assert old.holds(2125550143)
    assert old.holds(3055550100)
    assert on_list(tmp_path / "list.dnc", 2125550143, 2125550100) == [False, True]


@pytest.mark.parametrize("cut", [1, PAGE, 1_000_000])
def test_a_file_that_is_cut_short_is_unreadable(build, file, tmp_path, cut: int) -> None:
    _, answer, _ = build(file(FULL))
    path = tmp_path / "list.dnc"
    os.truncate(path, path.stat().st_size - cut)
    with pytest.raises(UnusableGeneration):
        Generation.open(path)
    assert ListFolder(tmp_path)(rule(answer["sha256"]), "+12125550143") == "unreadable"


@pytest.mark.parametrize("size", [0, 7, 15, 100])
def test_a_header_that_is_cut_short_is_unreadable(build, file, tmp_path, size: int) -> None:
    build(file(FULL))
    os.truncate(tmp_path / "list.dnc", size)
    with pytest.raises(UnusableGeneration):
        Generation.open(tmp_path / "list.dnc")


def test_a_bit_that_was_changed_is_found_when_its_block_is_used(build, file, tmp_path) -> None:
    _, answer, _ = build(file(FULL))
    path = tmp_path / "list.dnc"
    data = bytearray(path.read_bytes())
    place = next(at for at in range(PAGE, len(data)) if data[at])
    data[place] = 0
    path.write_bytes(data)
    lists = ListFolder(tmp_path)
    assert lists(rule(answer["sha256"]), "+12125550143") == "mismatch"
    assert lists(rule(answer["sha256"]), "+12125550144") == "mismatch"
    assert lists(rule(answer["sha256"]), "+13055550100") == "listed"


def test_a_header_that_was_changed_is_another_list(build, file, tmp_path) -> None:
    _, answer, _ = build(file(FULL))
    path = tmp_path / "list.dnc"
    path.write_bytes(path.read_bytes().replace(b'"complete":false', b'"complete":true '))
    assert ListFolder(tmp_path)(rule(answer["sha256"]), "+14155550100") == "unreadable"


def by_line(data: bytes) -> list[tuple[str, int]]:
    """What the form of the registry's lines says, one at a time."""
    return [(line[:3].decode(), int(line[4:11])) for line in data.splitlines()]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_lines_read_by_column_say_what_they_say_one_by_one(end: bytes) -> None:
    dice = random.Random(9)
    lines = [
        b"%s,%07d" % (area, dice.randrange(2_000_000, 10_000_000))
        for area, count in ((b"201", 1), (b"212", 700), (b"213", 2), (b"989", 300))
        for _ in range(count)
    ]
    piece = b"".join(line + end for line in (b"200,2000000", *lines, b"999,9999999"))
    read = runs(piece)
    assert read is not None
    assert [area for area, _ in read] == ["200", "201", "212", "213", "989", "999"]
    assert [(area, number) for area, numbers in read for number in numbers] == by_line(piece)


@pytest.mark.parametrize("place", [0, 40, 79])
@pytest.mark.parametrize(
    "bad",
    [
        b"212,155014\n",
        b"212,1550143\n",
        b"112,5550143\n",
        b"2125,550143\n",
        b"212,55501x3\n",
        b"212,555014 \n",
        b"212 5550143\n",
        b"2\x002,5550143\n",
        b"212,5550143\r\n",
        b"\n",
        b"213,5550143\n",  # an area code amid another: one that is asked for twice
    ],
)
def test_a_piece_with_another_line_in_it_is_not_read_by_column(bad: bytes, place: int) -> None:
    lines = [b"212,%07d\n" % (5_550_100 + number) for number in range(80)]
    lines[place:place] = [bad]
    read = runs(b"".join(lines))
    if bad == b"213,5550143\n":
        numbers = [] if read is None else [one for _, numbers in read for one in numbers]
        assert read is None or numbers == [int(line[4:11]) for line in lines]
    else:
        assert read is None


def test_many_numbers_of_one_area_code_and_few_of_another(build, file, tmp_path) -> None:
    """Enough for the marks, in two pieces, with numbers that come twice."""
    lines = [b"212,%07d\r\n" % number for number in range(2_000_001, 2_400_001)]
    path = file(
        b"212,2000000\r\n" + b"".join(lines) + b"305,5550100\r\n" + b"".join(lines[:60_000])
    )
    code, answer, _ = build(path)
    assert (code, answer["count"], answer["added"]) == (0, 400_002, 460_002)
    numbers = (2122000000, 2122000001, 2122400000, 2122400001, 3055550100, 3055550101)
    assert on_list(tmp_path / "list.dnc", *numbers) == [True, True, True, False, True, False]
    deletions = b"".join(line.rstrip() + b",2026-11-28,D\n" for line in lines[::1000])
    _, answer, _ = build(path, "--changes", file(deletions, "changes.txt"))
    assert (answer["count"], answer["deleted"]) == (399_602, 400)
