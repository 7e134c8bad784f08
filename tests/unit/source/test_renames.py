"""`--fix` puts the name that was meant in the place of a slip, where only one is near."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trunkline.compile import compile_repository
from trunkline.nearest import only_near
from trunkline.source.fixes import apply_fixes

CASES = Path(__file__).parents[2] / "examples/cases"
Fix = Callable[[str, str], str]


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("verfy", ["verify", "pay"], "verify"),
        ("Verify", ["verify", "pay"], "verify"),
        ("pya", ["verify", "pay"], "pay"),
        ("goodby", ["goodbye", "greeting"], "goodbye"),
        # Two are near, or the only one is not near enough to be put there unasked.
        ("verify1", ["verify", "verify2"], None),
        ("question", ["questions", "question_2"], None),
        ("human", ["hum", "person"], "hum"),
        ("done", ["gone", "pay"], "gone"),
        ("booked", ["book", "pay"], "book"),
        ("callback", ["call", "pay"], None),
        ("x", ["y", "z"], None),
        ("x" * 100, ["x" * 99], None),
    ],
)
def test_the_only_name_that_is_near(word: str, known: list[str], meant: str | None) -> None:
    assert only_near(word, known) == meant


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    copied = Path(shutil.copytree(CASES / "base", tmp_path / "repository"))
    shutil.copy(CASES / "graph/good.yaml", copied / "flows/acme")
    return copied


@pytest.fixture
def fix(repository: Path) -> Fix:
    """Writes a slip into the good flow, lets it be mended, and returns the flow's text."""
    file = repository / "flows/acme/good.yaml"

    def fixed(old: str, new: str) -> str:
        text = file.read_bytes().decode()
        assert text.count(old) == 1
        file.write_bytes(text.replace(old, new).encode())
        apply_fixes(repository, compile_repository(repository).findings)
        return file.read_bytes().decode()

    return fixed


@pytest.mark.parametrize(
    ("right", "slip"),
    [
        ("{to: pay, when", "{to: pya, when"),
        ("start: hello", "start: helo"),
        ("start: 'hello'", "start: 'helo'"),
        ("tools: [lookup_crm]", "tools: [lokup_crm]"),
        ('tools: ["take_payment"]', 'tools: ["take_paymnet"]'),
        ("collect: [full_name, postcode]", "collect: [full_name, postcod]"),
        ("collect: [full_name", "colect: [full_name"),
        ("confirmed, requires: [identity_verified]", "confirmed, requires: [identity_verifed]"),
        ("instructions: Take the payment.", "instrutcions: Take the payment."),
        ("when: a detail was wrong, correction:", "when: a detail was wrong, corection:"),
    ],
)
def test_a_slip_is_mended(fix: Fix, repository: Path, right: str, slip: str) -> None:
    good = (CASES / "graph/good.yaml").read_text()
    plain = right.replace("'", "").replace('"', "")
    assert fix(plain, slip) == good.replace(plain, right)
    assert compile_repository(repository).findings == ()


def test_several_on_one_line_and_other_line_ends(fix: Fix, repository: Path) -> None:
    file = repository / "flows/acme/good.yaml"
    file.write_bytes(file.read_text().replace("\n", "\r\n").encode())
    slips = "{to: hlelo, wehn: they want something else, corection: true}"
    fix("{to: hello, when: they want something else, correction: true}", slips)
    apply_fixes(repository, compile_repository(repository).findings)
    assert file.read_bytes() == (CASES / "graph/good.yaml").read_bytes().replace(b"\n", b"\r\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Two nodes are near; a whole other word; a name inside a text.
        ("{to: hello, when: they want something else", "{to: hell, when: they want something else"),
        ("start: hello", "start: beginning"),
        ("instructions: Take the payment.", 'say: "{{ slots.postcod }}"'),
        # The key that was meant stands there already.
        (
            "collect: [full_name, postcode]",
            "collect: [full_name, postcode]\n    colect: [postcode]",
        ),
    ],
)
def test_what_is_not_certain_is_left_alone(fix: Fix, old: str, new: str) -> None:
    text = (CASES / "graph/good.yaml").read_text()
    if "hell," in new:
        old_nodes = "  done: {kind: end"
        fix(old_nodes, "  hells: {kind: end, outcome: done}\n" + old_nodes)
        text = text.replace(old_nodes, "  hells: {kind: end, outcome: done}\n" + old_nodes)
    assert fix(old, new) == text.replace(old, new)


def test_a_slot_in_requires_and_a_number_are_mended(fix: Fix, repository: Path) -> None:
    edge = "{to: pay, when: account holder confirmed, requires: [identity_verified]}"
    more = edge.replace("[identity", "[slots.postocde, identity")
    assert "requires: [slots.postcode, identity_verified]" in fix(edge, more)
    human = "  human: {kind: transfer, number: suport, on_failure: done}\n  done: {kind"
    assert "number: support," in fix("  done: {kind", human)


def test_a_file_that_has_changed_since_is_left_alone(repository: Path) -> None:
    file = repository / "flows/acme/good.yaml"
    slip = file.read_text().replace("start: hello", "start: helo")
    file.write_text(slip)
    findings = compile_repository(repository).findings
    shorter = slip.replace("description: A case.\n", "")
    file.write_text(shorter)
    assert apply_fixes(repository, findings) == {}
    assert file.read_text() == shorter


def test_what_would_not_fit_the_schema_is_not_put_in(repository: Path) -> None:
    """A key of another meaning is near, and its value does not fit there."""
    file = repository / "flows/acme/good.yaml"
    text = file.read_text().replace("collect: [full_name, postcode]", "collects: all of it")
    text = text.replace("start: hello", "satrt: hello")
    file.write_text(text)
    findings = compile_repository(repository).findings
    assert [each.rename for each in findings if each.rename] == [
        ("satrt", "start"),
        ("collects", "collect"),
    ]
    assert apply_fixes(repository, findings) == {"flows/acme/good.yaml": 1}
    assert file.read_text() == text.replace("satrt", "start")
