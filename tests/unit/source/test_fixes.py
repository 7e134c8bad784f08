"""`--fix`: quotes where they were missing, nothing else, and never half a file."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.failure import FatalError
from trunkline.source import read_repository
from trunkline.source.fixes import apply_fixes, quote_scalars
from trunkline.source.reader import read_document

_CASES = Path(__file__).parents[2] / "examples/cases"


def _quoted(text: str) -> str:
    return quote_scalars(text, read_document("x.yaml", "flow", text.encode())[1])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: no\n", 'a: "no"\n'),
        ("no: yes\n", '"no": "yes"\n'),
        ("a: [21:00, no, x]\n", 'a: ["21:00", "no", x]\n'),
        ("é: {a: no} # ü\n", 'é: {a: "no"} # ü\n'),
        ("a: no\r\nb: 007\r\n", 'a: "no"\r\nb: "007"\r\n'),
        ("a: 2026-01-02 10:00:00\n", 'a: "2026-01-02 10:00:00"\n'),
        ("a: no", 'a: "no"'),
        ("null: a\n", '"null": a\n'),
    ],
)
def test_quotes_are_put_around_what_needs_them(before: str, after: str) -> None:
    assert _quoted(before) == after


_WORDS = st.sampled_from(["no", "21:00", "007", "+12025550143", "2026-01-02", "x", "a b", "é"])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(_WORDS, _WORDS), min_size=1, unique_by=lambda pair: pair[0]))
def test_what_was_written_is_what_is_read_afterwards(pairs: list[tuple[str, str]]) -> None:
    text = "".join(f"{key}: {value}\n" for key, value in pairs)
    document, findings = read_document("x.yaml", "flow", _quoted(text).encode())
    assert findings == []
    assert document is not None
    assert document.data == dict(pairs)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return Path(shutil.copytree(_CASES / "base", tmp_path / "repository"))


def test_files_are_mended_in_place(repository: Path) -> None:
    for case in ("norway-outcome", "plus-number"):
        shutil.copy(_CASES / "reading" / f"{case}.yaml", repository / "flows/acme")
    file = repository / "flows/acme/norway-outcome.yaml"
    file.chmod(0o640)
    mended = apply_fixes(repository, read_repository(repository).findings)
    assert mended == {"flows/acme/norway-outcome.yaml": 1, "flows/acme/plus-number.yaml": 1}
    assert 'outcome: "no"}' in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(each.name for each in file.parent.iterdir()) == [
        "norway-outcome.yaml",
        "plus-number.yaml",
        "tenant.yaml",
    ]


def test_a_link_stays_a_link_and_its_target_is_mended(repository: Path) -> None:
    target = repository / "kept.txt"
    shutil.copy(_CASES / "reading/norway-outcome.yaml", target)
    link = repository / "flows/acme/norway-outcome.yaml"
    link.symlink_to(target)
    apply_fixes(repository, read_repository(repository).findings)
    assert link.is_symlink()
    assert 'outcome: "no"}' in target.read_text()


def test_a_file_that_has_changed_since_is_left_alone(repository: Path) -> None:
    file = repository / "flows/acme/norway-outcome.yaml"
    shutil.copy(_CASES / "reading/norway-outcome.yaml", file)
    findings = read_repository(repository).findings
    file.write_text("schema_version: 1\n")
    assert apply_fixes(repository, findings) == {}
    assert file.read_text() == "schema_version: 1\n"


def test_a_file_that_cannot_be_written_is_fatal_and_stays(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(_CASES / "reading/norway-outcome.yaml", repository / "flows/acme")
    findings = read_repository(repository).findings
    file = repository / "flows/acme/norway-outcome.yaml"
    before = file.read_bytes()

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FatalError, match="No space left on device"):
        apply_fixes(repository, findings)
    assert file.read_bytes() == before
    assert len(list(file.parent.iterdir())) == 2
