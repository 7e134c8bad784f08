"""Files that do not fit their schema: each cause once, where it stands, and what to write."""

import pytest

from trunkline.finding import Finding
from trunkline.source.fit import fit_findings
from trunkline.source.reader import read_document

_FLOW = """\
schema_version: 1
id: x
direction: inbound
language: en-US
start: hello
nodes:
  hello:
    instructions: Ask.
    edges:
      - {to: done, when: they are done}
  done: {kind: end, outcome: done}
"""


def _findings(text: str, kind: str = "flow") -> list[Finding]:
    document, findings = read_document("flows/acme/x.yaml", kind, text.encode())
    assert findings == []
    assert document is not None
    return fit_findings(document)


def _edit(old: str, new: str) -> str:
    assert _FLOW.count(old) == 1
    return _FLOW.replace(old, new)


Told = tuple[str, int, int, str, str]


def test_the_flow_fits() -> None:
    assert _findings(_FLOW) == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            _edit("instructions", "instrctions"),
            ("TL101", 8, 5, "unknown key `instrctions`", "Did you mean `instructions`?"),
        ),
        (
            _edit("outcome: done", "outcom: done"),
            ("TL101", 11, 21, "unknown key `outcom`", "Did you mean `outcome`?"),
        ),
        (
            _edit("outcome: done", "zebra: done, outcome: x"),
            ("TL101", 11, 21, "unknown key `zebra`", "Known here: kind, say, outcome."),
        ),
        (
            _edit(", outcome: done", ""),
            ("TL101", 11, 3, "the key `outcome` is missing", "One of catalog/outcomes.yaml"),
        ),
        (_edit("start: hello\n", ""), ("TL101", 1, 1, "the key `start` is missing", "")),
        (
            _edit("inbound", "inbond"),
            ("TL101", 3, 12, "`inbond` is not one of the words known here", "mean `inbound`?"),
        ),
        (
            _edit("kind: end", "kind: ended"),
            ("TL101", 11, 16, "`ended` is not one of the words known here", "Did you mean `end`?"),
        ),
        (
            _edit("Ask.", "5"),
            ("TL101", 8, 19, "`instructions` must be text, not a number", 'Quote it: "5"'),
        ),
        (
            _edit("Ask.", "1.50"),
            ("TL101", 8, 19, "`instructions` must be text, not a number", 'Quote it: "1.50"'),
        ),
        (
            _edit("Ask.", "true"),
            ("TL101", 8, 19, "`instructions` must be text, not true or false", '"true"'),
        ),
        (
            _edit("Ask.", ""),
            ("TL101", 8, 18, "`instructions` has no value", "Write text, or delete the key."),
        ),
        (
            _edit("Ask.", "Ask.\n    collect: a"),
            ("TL101", 9, 14, "`collect` must be a list, not text", "Write it as a list: [a]"),
        ),
        (
            _edit("Ask.", "Ask.\n    return: 'true'"),
            ("TL101", 9, 13, "`true` cannot stand here", "Write true."),
        ),
        (
            _edit("start: hello", "start: hello\nlimits: {max_visits: 0}"),
            ("TL101", 6, 22, "`max_visits` must be at least 1", "How often one node"),
        ),
        (
            _edit("start: hello", "start: hello\nlimits: {max_visits: '4'}"),
            ("TL101", 6, 22, "`max_visits` must be a whole number, not text", "Write 4"),
        ),
        (
            _edit("  done: {kind", "  do/ne: {kind"),
            ("TL101", 11, 3, "`do/ne` is not a name that can stand here", "letters, digits"),
        ),
        (
            _edit("  done: {kind", "  back: {kind"),
            ("TL101", 11, 3, "the name `back` is reserved", "Choose another."),
        ),
        (
            _edit("en-US", "english"),
            ("TL101", 4, 11, "`english` is not what belongs here", "such as en-US"),
        ),
        (
            _edit("start: hello", "start: hello\nkeys: {'12': done}"),
            ("TL101", 6, 8, "`12` is not a name that can stand here", "One key of the telephone"),
        ),
        (
            _edit("start: hello", "start: hello\nslots: {a: {type: choice}}"),
            ("TL101", 6, 9, "the key `choices` is missing", ""),
        ),
        (
            _edit("start: hello", "start: hello\nslots: {a: {type: date, choices: [b]}}"),
            ("TL101", 6, 25, "`choices` does not belong here", "Delete it."),
        ),
        (
            _edit("schema_version: 1", "schema_version: 2"),
            ("TL101", 1, 17, "`2` cannot", "Write 1."),
        ),
        ("", ("TL101", 1, 1, "this file is empty", "schema_version: 1")),
        ("# a note\n", ("TL101", 1, 1, "this file is empty", "schema_version: 1")),
        ("- 1\n- 2\n", ("TL101", 1, 1, "this file must be a mapping of keys to values", "keys")),
        ("hello\n", ("TL101", 1, 1, "this file must be a mapping of keys to values", "keys")),
        # A comma without quotes, in braces.
        (
            _edit("they are done", "they say no, or hang up"),
            (
                *("TL101", 10, 39, "the comma before `or hang up` ends the text"),
                'Quote the text of `when`: "they say no, or hang up"',
            ),
        ),
        (
            _edit("they are done}", "nope, not now, or never, requires: [a]}"),
            (
                "TL101",
                10,
                32,
                "the comma before `not now` ends the text",
                '"nope, not now, or never"',
            ),
        ),
        # A terminal with edges is told as what it is.
        (
            _edit("outcome: done", "outcome: done, edges: [{to: hello}]"),
            ("TL104", 11, 36, "a node of kind end ends the flow", "Delete `edges`"),
        ),
        (
            _edit("{kind: end, outcome: done}", "{kind: link, flow: other, edges: []}"),
            ("TL104", 11, 35, "a node of kind link ends the flow", "Delete `edges`"),
        ),
    ],
)
def test_one_finding_for_each_cause(text: str, told: Told) -> None:
    findings = _findings(text)
    code, line, column, message, help = told
    assert [(found.code, found.line, found.column) for found in findings] == [(code, line, column)]
    assert message in findings[0].message
    assert help in findings[0].help


def test_every_fault_is_told_at_once() -> None:
    text = _FLOW.replace("Ask.", "5").replace("outcome: done", "outcom: done").replace("en-US", "9")
    assert [found.line for found in sorted(_findings(text), key=lambda f: f.order)] == [4, 8, 11]


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (
            "tool",
            "schema_version: 1\nid: t\ndescription: d\nparameters: {type: array}\n"
            "result: {type: object}\neffects: []\nrun: {python: 'a:b'}\n",
            [(4, 20)],
        ),
        (
            "tool",
            "schema_version: 1\nid: t\ndescription: d\nparameters: {type: object, required: a}\n"
            "result: {type: object}\neffects: [steals]\nretries: 2\n"
            "run: {python: 'a:b', http: {}}\n",
            [(1, 1), (4, 38), (6, 11), (8, 6), (8, 22)],
        ),
        ("tool", "id: lk_x\nschema_version: 1\n", [(1, 1), (1, 5)]),
        (
            "scenarios",
            "scenarios:\n  - label: a\n    turns: [{key: '12'}, {}]\n",
            [(3, 19), (3, 26)],
        ),
        ("tenant", "numbers: {support: '0205550143'}\n", [(1, 1), (1, 20)]),
        ("channels", "stable: {release: newest}\ncanary: {percent: 200}\n", None),
    ],
)
def test_other_kinds_of_file(kind: str, text: str, told: list[tuple[int, int]] | None) -> None:
    places = {(found.line, found.column) for found in _findings(text, kind)}
    assert places == set(told if told is not None else [(1, 19), (2, 1), (2, 19)])


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (
            "flows/acme/x.yaml",
            _edit("start: hello", "start: hello\nparams: {a: {type: string}}"),
            ("a tenant's flow cannot have the key `params`", 6),
        ),
        (
            "flows/acme/x.yaml",
            "schema_version: 1\nid: x\nexits: [a]\nstart: b\nnodes: {b: {}}\n",
            ("a tenant's flow cannot have the key `exits`", 3),
        ),
        (
            "flows/shared/x.yaml",
            "schema_version: 1\nid: x\nuse: shared/y\n",
            ("a shared flow cannot have the key `use`", 3),
        ),
        ("flows/acme/x.yaml", "schema_version: 1\nid: x\nuse: shared/y\n", None),
        (
            "flows/shared/x.yaml",
            _edit("start: hello", "start: hello\nparams: {a: {type: string}}"),
            None,
        ),
    ],
)
def test_keys_that_a_folder_does_not_allow(
    path: str, text: str, told: tuple[str, int] | None
) -> None:
    document, _ = read_document(path, "flow", text.encode())
    assert document is not None
    found = [(finding.message, finding.line) for finding in fit_findings(document)]
    assert found == ([told] if told else [])


def test_a_file_of_a_thousand_faults_tells_two_hundred() -> None:
    edges = "".join("      - {too: x}\n" for _ in range(1000))
    findings = _findings(_FLOW.replace("      - {to: done, when: they are done}\n", edges))
    assert len(findings) == 201
    assert "these are the first" in findings[-1].message
