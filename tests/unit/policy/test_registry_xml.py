"""The registry's XML into a generation: the same numbers as the flat file, and nothing it hides."""

import json
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trunkline.commands.main import run
from trunkline.policy.registry_files import RegistryFile
from trunkline.policy.registry_xml import RegistryXml, UnreadableXml
from trunkline_runtime.policy.list_generation import Generation

HEAD = "<?xml version='1.0' encoding='UTF-8'?>\n"
FULL = f"""{HEAD}<list type='full' val='NY'>
<ac val='212'><ph val='5550143'/><ph val="5550199" />
</ac>
<ac val='305'>
<ph val='5550100'></ph>
</ac>
<ac val='415'/>
</list>
"""
CHANGES = f"""{HEAD}<list type='change' val='2026-11-28'>
<ac val='212'><ph val='5550143' date='2026-11-28' chg='D'/></ac>
<ac val='415'>
<ph val='5550100' chg='A'/>
<ph val='5550101' chg='Add'/><ph val='5550101' chg='delete'/>
</ac></list>
"""
Build = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Build:
    """Builds `list.dnc`: exit code, answer, and what was said beside it."""

    def command(*words: object) -> tuple[int, Any, str]:
        capsys.readouterr()
        out = tmp_path / "list.dnc"
        words = ("policy", "dnc", "build", "--out", out, "--format", "json", *words)
        code = run([str(word) for word in words])
        printed = capsys.readouterr()
        return code, json.loads(printed.out) if printed.out else None, printed.err

    return command


def written(folder: Path, text: str, name: str = "full.xml", encoding: str = "utf-8") -> Path:
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def on_list(path: Path, *numbers: int) -> list[bool]:
    generation = Generation.open(path)
    return [generation.holds(number) for number in numbers]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_full_list(build: Build, tmp_path: Path, encoding: str) -> None:
    text = FULL.replace("UTF-8", encoding.removesuffix("-sig"))
    code, answer, err = build(written(tmp_path, text, encoding=encoding))
    assert (code, err) == (0, "")
    # An area code that the file covers is known, even with nobody of it on the list.
    assert (answer["count"], answer["areas"]) == (3, ["212", "305", "415"])
    assert answer["sources"][0]["lines"] == 3
    numbers = (2125550143, 2125550199, 3055550100, 2125550144, 4155550100)
    assert on_list(tmp_path / "list.dnc", *numbers) == [True, True, True, False, False]


def test_the_flat_file_of_the_same_list_gives_the_same_bits(build: Build, tmp_path: Path) -> None:
    _, answer, _ = build(written(tmp_path, FULL.replace("<ac val='415'/>\n", "")))
    in_xml = Generation.open(tmp_path / "list.dnc").header.blocks
    build(written(tmp_path, "212,5550143\n212,5550199\n305,5550100\n", "full.txt"))
    assert Generation.open(tmp_path / "list.dnc").header.blocks == in_xml
    assert answer["count"] == 3


def test_a_list_of_one_area_code_need_not_say_it_twice(build: Build, tmp_path: Path) -> None:
    code, answer, _ = build(written(tmp_path, "<list val='212'><ph val='5550143'/></list>"))
    assert (code, answer["areas"], answer["count"]) == (0, ["212"], 1)


def test_a_change_list_adds_and_deletes_in_its_order(build: Build, tmp_path: Path) -> None:
    changes = written(tmp_path, CHANGES, "changes.xml")
    code, answer, _ = build(written(tmp_path, FULL), "--changes", changes)
    assert (code, answer["added"], answer["deleted"], answer["count"]) == (0, 5, 2, 3)
    numbers = (2125550143, 2125550199, 4155550100, 4155550101)
    assert on_list(tmp_path / "list.dnc", *numbers) == [False, True, True, False]


def test_zipped_xml_beside_flat_text(build: Build, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ny.xml", FULL)
        archive.writestr("808.txt", "808,5550100\n")
    code, answer, _ = build(tmp_path / "all.zip")
    assert (code, answer["count"]) == (0, 4)


@pytest.mark.parametrize(
    ("bad", "line", "column"),
    [
        ("<ph val='555014'/>", 3, 15),
        ("<ph val='1550143'/>", 3, 15),
        ("<ph val='2125550143'/>", 3, 15),
        ("<ph val='\u0665\u0665\u0665\u0660\u0661\u0664\u0663'/>", 3, 15),
        ("<ph/>", 3, 15),
        ("<ph val='5550144' chg='D'/>", 3, 15),
        ("<phone>2125550144</phone>", 3, 15),
        ("5550144", 3, 15),
        ("</ac>\n<ac val='112'>", 4, 1),
        ("</ac><ph val='5550144'/><ac val='212'>", 3, 20),
    ],
)
def test_what_is_no_entry_is_counted_named_and_never_shown(
    build: Build, tmp_path: Path, bad: str, line: int, column: int
) -> None:
    path = written(tmp_path, FULL.replace("<ac val='212'>", f"<ac val='212'>{bad}"))
    code, answer, err = build(path)
    assert (code, answer) == (1, None)
    assert f"full.xml line {line}, column {column}" in err
    assert "555" not in err
    assert not (tmp_path / "list.dnc").exists()
    code, answer, _ = build(path, "--bad-lines", 5)
    assert code == 0
    assert answer["bad_lines"][0] == {"file": "full.xml", "line": line, "column": column}


@pytest.mark.parametrize("bad", ["", " chg='X'", " chg='A' was='D'", " date='2026-11-28'"])
def test_a_change_that_does_not_say_which_is_bad(build: Build, tmp_path: Path, bad: str) -> None:
    text = f"<list><ac val='212'><ph val='5550143'{bad}/></ac></list>"
    code, _, err = build(
        written(tmp_path, FULL), "--changes", written(tmp_path, text, "changes.xml")
    )
    assert code == 1
    assert "changes.xml line 1, column 21" in err


BOMB = "<!DOCTYPE list [<!ENTITY a '5550143'><!ENTITY b '&a;&a;'>]>"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (FULL[: len(FULL) // 2], "full.xml line 3: unclosed token"),
        (FULL.replace("</ac>", "", 1), "mismatched tag"),
        (FULL.replace("<list", BOMB + "<list"), "entity"),
        (FULL.replace("<list", "<!DOCTYPE list [<!ATTLIST ph val CDATA '5550143'>]><list"), "type"),
        (FULL.replace("'5550143'", "'555&#48;143'"), "entity"),
        (FULL.replace("<list", "<rss").replace("</list", "</rss"), "begin with <list>"),
        ("<list>" + "<ac val='212'>" * 20, "too deep"),
        (f"<list><ac val='212'><ph val='{'5' * 900_000}'/></ac></list>", "does not end"),
        (CHANGES, "name it with --changes"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_whole(
    build: Build, tmp_path: Path, text: str, says: str
) -> None:
    code, answer, err = build(written(tmp_path, text))
    assert (code, answer) == (2, None)
    assert says in err
    assert "555" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["full.xml"]


def test_a_full_list_is_no_change_list(build: Build, tmp_path: Path) -> None:
    path = written(tmp_path, FULL)
    code, _, err = build(path, "--changes", path)
    assert code == 2
    assert "name it without --changes" in err


def test_a_document_type_that_only_names_itself_is_harmless(build: Build, tmp_path: Path) -> None:
    named = FULL.replace("<list", '<!DOCTYPE list SYSTEM "nowhere.dtd"><list')
    assert build(written(tmp_path, named))[0] == 0


def test_memory_stays_flat_however_long_the_file_is() -> None:
    def chunks(pieces: int) -> Iterator[bytes]:
        yield b"<list><ac val='212'>"
        piece = b"<ph val='5550143'/>\n" * 3_000
        for _ in range(pieces):
            yield piece
        yield b"</ac></list>"

    def most(pieces: int) -> int:
        xml = RegistryXml("full.xml", changes=False)
        tracemalloc.start()
        total = sum(len(each.numbers) for each in xml.entries(chunks(pieces)))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert total == 3_000 * pieces
        return peak

    # A run of one area code is handed on when it is half a million numbers long.
    assert most(20) < 4_000_000
    assert most(100) < 4_000_000


def test_a_torn_zip_and_one_with_a_password_are_told_in_words(tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ny.xml", FULL * 50)
    whole = path.read_bytes()
    for at in range(40, 140, 20):
        path.write_bytes(whole[:at] + b"\xff\xff\xff" + whole[at + 3 :])
        with pytest.raises(Exception, match=r"damaged; download it again|line \d+: "):
            list(RegistryFile(path))
    locked = bytearray(whole)
    locked[6] |= 1  # the flag of a file that is encrypted, here and in the directory
    locked[whole.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(locked)
    with pytest.raises(Exception, match="locked with a password"):
        list(RegistryFile(path))


def test_an_unreadable_file_says_its_own_name() -> None:
    with pytest.raises(UnreadableXml, match=r"^ny\.xml line 1: "):
        list(RegistryXml("ny.xml", changes=False).entries([b"<list"]))
