"""Whatever the bytes, reading gives a document or findings, and never raises."""

import json
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from trunkline.finding import Finding
from trunkline.source.document import Document, Step
from trunkline.source.fit import fit_findings
from trunkline.source.layout import KINDS
from trunkline.source.reader import read_document

Read = Callable[[str | bytes], tuple[Document | None, list[Finding]]]

_CODES = {"TL001", "TL002", "TL003", "TL004"}
# Pieces that the parser cares about, so that most texts get far into it.
_SIGNS = "abé09+-.:,[]{}!&*#?|>'\"%@`~=<\\/ \t\n\r\x00\ufeff\u2028\x85😀"
_WORDS = """no null 21:00 {{x}} !facts.x &a *a \\ud800 <<: --- ... nodes: edges: to: when:"""
_LAYOUT = ("\n  ", ": ", "- ", "\n- ", "schema_version: 1\n", "when: y, z")
_PIECES = st.sampled_from([*_SIGNS, *_WORDS.split(), *_LAYOUT])
_TEXTS = st.lists(_PIECES, max_size=40).map("".join)


def _check(content: bytes) -> None:
    document, findings = read_document("flows/acme/x.yaml", "flow", content)
    assert (document is None) == bool(findings)
    lines = content.decode("utf-8", "replace").splitlines() or [""]
    for finding in findings:
        assert finding.code in _CODES
        assert 1 <= finding.line <= len(lines) + 1
        assert finding.column >= 1
        assert (finding.end_line, finding.end_column) >= (finding.line, finding.column)
        assert finding.message
    if document is not None:
        _check_places(document)


def _check_places(document: Document) -> None:
    """Every key and value has a place, and no two keys of a mapping have the same."""

    def walk(value: object, path: list[Step]) -> None:
        mark = document.mark(path)
        assert mark.line >= 1
        assert mark.column >= 1
        if isinstance(value, dict):
            marks = [document.mark([*path, key], "key") for key in value]
            assert marks == sorted(set(marks))
            for key, inner in value.items():
                walk(inner, [*path, key])
        elif isinstance(value, list):
            for index, inner in enumerate(value):
                walk(inner, [*path, index])

    walk(document.data, [])


@settings(max_examples=400, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes(content: bytes) -> None:
    _check(content)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    _check(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=1500, deadline=None)
@given(_TEXTS)
def test_any_text_that_is_nearly_yaml(text: str) -> None:
    _check(text.encode())


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcé 1", max_size=5), inner)
    ),
    max_leaves=20,
)


@settings(max_examples=300, deadline=None)
@given(_JSON)
def test_json_reads_as_what_it_is(value: object) -> None:
    """JSON whose keys and texts are quoted is YAML of every version."""
    for text in (json.dumps(value, ensure_ascii=True), json.dumps(value, indent=2)):
        if "e" not in text and "\\ud" not in text and "-0" not in text:
            document, findings = read_document("x.yaml", "flow", text.encode())
            assert findings == []
            assert document is not None
            assert document.data == value


@settings(max_examples=200, deadline=None)
@given(_JSON, st.sampled_from(KINDS))
def test_any_json_fits_its_schema_or_has_findings_in_its_text(value: object, kind: str) -> None:
    text = json.dumps(value, indent=1)
    document, _ = read_document("flows/acme/x.yaml", kind, text.encode())
    if document is not None:
        findings = fit_findings(document)
        assert findings
        assert {finding.code for finding in findings} <= {"TL101", "TL104"}
        assert all(finding.line <= len(text.splitlines()) for finding in findings)
