"""`--fix` on made files: what was meant is what is read, and not a byte more is touched."""

from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.checking.check import check_repository
from trunkline.source.fixes import apply_fixes
from trunkline.source.reader import read_document

_DAY = date(2026, 11, 30)
_PATH = "flows/acme/made.yaml"
_UNQUOTED = ["no", "Yes", "21:00", "007", "+12025550143", "2026-01-02", "1_000", "0x1F"]
_COMMENTS = ["", " # no", "  # naïve 𐍈 🎉: 21:00", "\t# a\ttab", " # 'quote\" {"]
_TEXTS = ["plain", '"🎉 21:00 no"', "'it''s 007'", "日本語 no 🦜", '"\\u00e9 \\t x"', "a, b"]
_MEANT = {"plain": "plain", '"🎉 21:00 no"': "🎉 21:00 no", "'it''s 007'": "it's 007"}
_MEANT |= {"日本語 no 🦜": "日本語 no 🦜", '"\\u00e9 \\t x"': "é \t x", "a, b": "a, b"}
_NODES = ["finish", "collect-details", "no-answer-here"]


@st.composite
def _flows(draw: st.DrawFn) -> tuple[str, str, list[str]]:
    """A flow with faults, the same mended, and the words of its choices as they are meant."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    choices = draw(st.lists(st.sampled_from(_UNQUOTED + _TEXTS), min_size=1, unique=True))
    target = draw(st.sampled_from(_NODES))
    letter = draw(st.integers(1, len(target) - 2))
    slip = draw(st.sampled_from([target, target[:letter] + target[letter + 1 :]]))
    quote = draw(st.sampled_from(["", '"', "'"]))
    comments = st.sampled_from(_COMMENTS)
    before, after = [], []

    def line(faulty: str, mended: str | None = None) -> None:
        comment = draw(comments)
        before.append(faulty + comment)
        after.append((faulty if mended is None else mended) + comment)

    for text in ("schema_version: 1", "id: made", "description: d", "direction: inbound"):
        line(text)
    for text in ("purpose: service", "language: en-US", "start: hello", "slots:", "  pick:"):
        line(text)
    line("    type: choice")
    line("    choices:")
    for choice in choices:
        line(f"      - {choice}", f'      - "{choice}"' if choice in _UNQUOTED else None)
    line("nodes:")
    line("  hello:")
    line("    instructions: 🎉 Ask\twhat they want.")
    line("    collect: [pick]")
    edge = "    edges: [{when: 🦜 done, to: %s}]"
    line(edge % f"{quote}{slip}{quote}", edge % f"{quote}{target}{quote}")
    line(f"  {target}: {{kind: end, say: Bye., outcome: done}}")
    tail = draw(st.sampled_from(["", end, end + end + "# the end 𐍈" + end]))
    meant = [_MEANT.get(choice, choice) for choice in choices]
    return end.join(before) + tail, end.join(after) + tail, meant


def _fix(root: Path) -> int:
    """What `check --fix` does: rounds, until nothing more is mended."""
    rounds = 0
    while apply_fixes(root, check_repository(root, _DAY)):
        rounds += 1
        assert rounds <= 5
    return rounds


@settings(max_examples=40, deadline=None)
@given(_flows())
def test_what_is_meant_is_read_and_no_other_byte_is_touched(
    flow: tuple[str, str, list[str]],
) -> None:
    faulty, mended, meant = flow
    with TemporaryDirectory() as folder:
        root = Path(folder)
        file = root / _PATH
        file.parent.mkdir(parents=True)
        file.write_bytes(faulty.encode())
        _fix(root)
        assert file.read_bytes().decode() == mended
        assert _fix(root) == 0
    document, findings = read_document(_PATH, "flow", mended.encode())
    assert findings == []
    assert document is not None
    assert document.data["slots"]["pick"]["choices"] == meant


@settings(max_examples=10, deadline=None)
@given(_flows())
def test_a_file_with_a_byte_order_mark_is_told_and_left_as_it_is(
    flow: tuple[str, str, list[str]],
) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / _PATH
        file.parent.mkdir(parents=True)
        data = b"\xef\xbb\xbf" + flow[0].encode()
        file.write_bytes(data)
        assert _fix(Path(folder)) == 0
        assert file.read_bytes() == data
