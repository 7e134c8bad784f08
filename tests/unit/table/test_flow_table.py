"""The node table of a flow: what is in it, what is not, and a digest that only meaning changes."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from trunkline.compile import compile_repository
from trunkline_runtime.table.canonical import canonical_bytes
from trunkline_runtime.table.node_table import NodeTable

ROOT = Path(__file__).parents[3]
TENANT = """
schema_version: 1
id: acme
display_name: Acme
timezone: America/New_York
connections: {crm: {}}
numbers: {support: "+12025550101"}
"""
TOOL = """
schema_version: 1
id: look_up
description: Looks up.
parameters: {type: object, properties: {code: {type: string}, most: {type: number}}}
result: {type: object, properties: {amount: {type: number}}}
effects: []
run: {http: {method: GET, path: /run}}
"""
FACTS = "schema_version: 1\nfacts: {agreed: {description: They agreed., confirm: true}}\n"
SECOND = """
schema_version: 1
id: second
direction: inbound
purpose: care
language: en-US
start: done
slots: {code: {type: string}}
nodes: {done: {kind: end, outcome: done}}
"""
HEADER = "schema_version: 1\nid: flow\ndirection: inbound\nlanguage: en-US\n"


@pytest.fixture
def table(tmp_path: Path) -> Any:
    """Compiles one flow of the tenant acme, beside shared flows, and returns its table."""

    def compiled(flow: str, shared: Mapping[str, str] | None = None, header: str = HEADER) -> Any:
        files = {
            "flows/acme/tenant.yaml": TENANT,
            "flows/acme/flow.yaml": header + flow,
            "flows/acme/second.yaml": SECOND,
            "catalog/tools/crm/look_up.yaml": TOOL,
            "catalog/facts.yaml": FACTS,
            **{f"flows/shared/{id}.yaml": text for id, text in (shared or {}).items()},
        }
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
        result = compile_repository(tmp_path)
        assert [each for each in result.findings if each.severity == "error"] == []
        found = result.tables["acme", "flow"]
        assert NodeTable.from_json(found).to_json() == found
        return found

    return compiled


def test_defaults_comments_and_layout_are_gone(table: Any) -> None:
    found = table("""
description: What nobody at run time reads.
start: hello   # a comment
slots:
  code: {type: string, optional: false, pii: false, ask: " Your code? "}
silence: {after_seconds: 8, times: 2}
limits: {max_visits: 10, max_minutes: 30.0}
answer: {human: hello, machine: done}
keys: {}
after_call: []
nodes:
  hello:
    kind: talk
    speak: []
    instructions: |
      Ask for it.
    collect: [code]
    history: {summary: false}
    tools:
      - look_up
      - {id: look_up, max_calls: 3, once: false, with: {}, sets: {}}
    edges:
      - {to: sure, correction: false, requires: [], clears: []}
  sure:
    kind: confirm
    say: Sure?
    times: 2
    establishes: [agreed]
    on_yes: done
    on_no: hello
    on_unclear: done
  done: {kind: end, outcome: done}
""")
    digest = found["tools"].pop("look_up")
    assert digest.startswith("sha256:")
    assert found == {
        "schema": "trunkline/node-table/v1",
        "tenant": "acme",
        "flow": "flow",
        "direction": "inbound",
        "language": "en-US",
        "start": "hello",
        "slots": {"code": {"type": "string", "ask": "Your code?"}},
        "answer": {"machine": "done"},
        "nodes": {
            "hello": {
                "instructions": "Ask for it.",
                "collect": ["code"],
                "tools": [{"id": "look_up"}, {"id": "look_up"}],
                "edges": [{"to": "sure"}],
            },
            "sure": {
                "kind": "confirm",
                "say": "Sure?",
                "establishes": ["agreed"],
                "on_yes": "done",
                "on_no": "hello",
                "on_unclear": "done",
            },
            "done": {"kind": "end", "outcome": "done"},
        },
        "tools": {},
    }


def test_what_is_said_is_kept(table: Any) -> None:
    nodes = """
  hello:
    say: Hello.
    say_again: Hello again.
    collect: [code, code]
    tools:
      - id: look_up
        with: {code: " slots.code ", most: 5}
        sets: {amount: result.amount}
        if: call.visits < 3
        once: true
        max_calls: 1
    edges:
      - to: human
        when: they want a human
        if: call.minutes > 1
        requires: [slots.code, slots.amount, slots.code]
        say: One moment.
        correction: true
        clears: [code, amount, code]
      - {to: way}
    keys: {"1": human, "0": done}
    history: {keep: 0, summary: true}
  way:
    kind: route
    edges: [{to: other, if: call.visits > 1}, {to: done, else: true}]
  human:
    kind: transfer
    number: {by: slots.code, a: support, default: support}
    summary: [code]
    on_failure: done
  other: {kind: link, flow: second, with: {code: '"x"'}}
  aside: {return: true, instructions: Explain.}
  done: {kind: end, say: Bye., outcome: done}
"""
    found = table(f"""
purpose: care
start: hello
slots: {{code: {{type: string}}, amount: {{type: number}}}}
inputs: {{note: {{type: string, optional: true}}}}
anywhere: [{{to: aside, when: they ask why}}]
keys: {{"0": done}}
error: done
after_call: [look_up]
nodes:{nodes}""")
    found["nodes"].pop("done")
    assert found["purpose"] == "care"
    assert found["inputs"] == {"note": {"type": "string", "optional": True}}
    assert found["anywhere"] == [{"to": "aside", "when": "they ask why"}]
    assert found["keys"] == {"0": "done"}
    assert found["error"] == "done"
    assert found["after_call"] == [{"id": "look_up"}]
    assert found["nodes"] == {
        "hello": {
            "say": "Hello.",
            "say_again": "Hello again.",
            "collect": ["code"],
            "tools": [
                {
                    "id": "look_up",
                    "with": {"code": "slots.code", "most": 5},
                    "sets": {"amount": "result.amount"},
                    "if": "call.visits < 3",
                    "once": True,
                    "max_calls": 1,
                }
            ],
            "edges": [
                {
                    "to": "human",
                    "when": "they want a human",
                    "if": "call.minutes > 1",
                    "requires": ["slots.amount", "slots.code"],
                    "say": "One moment.",
                    "correction": True,
                    "clears": ["amount", "code"],
                },
                {"to": "way"},
            ],
            # The flow's own 0 is heard everywhere.
            "keys": {"1": "human"},
            "history": {"keep": 0, "summary": True},
        },
        "way": {
            "kind": "route",
            "edges": [{"to": "other", "if": "call.visits > 1"}, {"to": "done", "else": True}],
        },
        "human": {
            "kind": "transfer",
            "number": {"by": "slots.code", "a": "support", "default": "support"},
            "mode": "warm",
            "summary": ["code"],
            "on_failure": "done",
        },
        "other": {"kind": "link", "flow": "second", "with": {"code": '"x"'}},
        "aside": {"instructions": "Explain.", "return": True},
    }


SILENT = """
start: hello
SILENCE
LIMITS
nodes:
  hello: {NODE, edges: [{to: done, when: fine}, {to: bye, when: bad}]}
  done: {kind: end, outcome: done}
  bye: {kind: end, outcome: done}
"""


@pytest.mark.parametrize(
    ("flow", "node", "expected"),
    [
        ("", "{after_seconds: 8}", None),
        ("", "{after_seconds: 9}", {"after_seconds": 9, "times": 2}),
        ("{after_seconds: 5}", "{after_seconds: 5}", None),
        # The default, where the flow says something else.
        ("{after_seconds: 5}", "{after_seconds: 8}", {"after_seconds": 8, "times": 2}),
        (
            "{say: Hm?, to: done}",
            "{times: 3}",
            {"after_seconds": 8, "times": 3, "say": "Hm?", "to": "done"},
        ),
        ("{to: done}", "{to: bye}", {"after_seconds": 8, "times": 2, "to": "bye"}),
    ],
)
def test_a_nodes_own_silence_is_complete(table: Any, flow: str, node: str, expected: Any) -> None:
    text = SILENT.replace("SILENCE", f"silence: {flow}" if flow else "").replace("LIMITS", "")
    found = table(text.replace("NODE", f"silence: {node}"))["nodes"]["hello"]
    assert found.get("silence") == expected


@pytest.mark.parametrize(
    ("flow", "node", "expected"),
    [
        ("", "{max_visits: 10}", None),
        ("{max_minutes: 5}", "{max_visits: 10}", None),
        ("{max_visits: 3, max_minutes: 5, to: done}", "{max_visits: 3}", None),
        (
            "{max_visits: 3, max_minutes: 5, to: done}",
            "{max_visits: 10}",
            {"max_visits": 10, "to": "done"},
        ),
        ("{to: done}", "{to: bye}", {"max_visits": 10, "to": "bye"}),
    ],
)
def test_a_nodes_own_limits_are_complete(table: Any, flow: str, node: str, expected: Any) -> None:
    text = SILENT.replace("LIMITS", f"limits: {flow}" if flow else "").replace("SILENCE", "")
    found = table(text.replace("NODE", f"limits: {node}"))["nodes"]["hello"]
    assert found.get("limits") == expected


INNER = """
schema_version: 1
id: inner
exits: [out, lost]
params: {who: {type: string}, most: {type: number}, note: {type: string}, sure: {type: boolean}}
start: ask
nodes:
  ask:
    instructions: "Ask {{ params.who }} for less than {{ params.most }}, {{ params.note }}."
    collect: [code]
    tools:
      - {id: look_up, with: {code: params.who, most: params.most * 2.0}}
    edges:
      - {to: exit/out, when: fine, if: params.sure && params.who != "params.who"}
      - {to: exit/lost, when: bad}
"""


def test_a_sub_flow_is_in_its_place_with_its_params(table: Any) -> None:
    found = table(
        """
start: verify
slots: {code: {type: string}}
inputs: {account: {type: string}}
nodes:
  verify:
    kind: subflow
    flow: shared/inner
    with: {who: inputs.account, most: 5, note: '"please"', sure: call.visits > 1}
    exits: {out: done, lost: verify}
  done: {kind: end, outcome: done}
""",
        {"inner": INNER},
    )
    assert found["start"] == "verify/ask"
    assert found["nodes"]["verify/ask"] == {
        "instructions": "Ask {{ inputs.account }} for less than 5, please.",
        "collect": ["code"],
        "tools": [{"id": "look_up", "with": {"code": "inputs.account", "most": "5.0 * 2.0"}}],
        "edges": [
            {
                "to": "done",
                "when": "fine",
                "if": '(call.visits > 1) && inputs.account != "params.who"',
            },
            {"to": "verify/ask", "when": "bad"},
        ],
    }


def test_a_use_is_the_shared_flow_under_its_own_name(table: Any) -> None:
    whole = """schema_version: 1
id: whole
direction: inbound
language: en-US
params: {most: {type: number}, word: {type: string}}
start: hello
slots: {amount: {type: number}}
nodes:
  hello:
    say: "{{ params.word }}"
    collect: [amount]
    edges: [{to: done, if: slots.amount < params.most && params.word != ""}, {to: done, when: fine}]
  done: {kind: end, outcome: done}
"""
    found = table(
        'use: shared/whole\nwith: {most: 5, word: "say \\"hi\\""}\n',
        {"whole": whole},
        header="schema_version: 1\nid: flow\n",
    )
    assert (found["tenant"], found["flow"]) == ("acme", "flow")
    assert found["nodes"]["hello"]["say"] == 'say "hi"'
    condition = found["nodes"]["hello"]["edges"][0]["if"]
    assert condition == 'slots.amount < 5.0 && "say \\"hi\\"" != ""'


def test_the_flows_of_this_repository_round_trip() -> None:
    tables = compile_repository(ROOT).tables
    assert len(tables) >= 3
    for table in tables.values():
        read = NodeTable.from_json(table)
        assert read.to_json() == table
        assert read.canonical == canonical_bytes(table)


FLOW = Path("flows/northwind-energy/overdue-invoice.yaml")


def digest_of(root: Path, text: str | bytes, seed: str = "0") -> str:
    """The digest of the flow with this text, computed in a process of its own."""
    data = text.encode() if isinstance(text, str) else text
    (root / FLOW).write_bytes(data)
    code = (
        "import sys; from pathlib import Path; from trunkline.compile import compile_repository; "
        "print(compile_repository(Path(sys.argv[1])).digests"
        "['northwind-energy', 'overdue-invoice'])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(root)],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": seed, "PATH": "", "HOME": str(root)},
    )
    return ran.stdout.strip()


def reordered(value: Any) -> Any:
    """The same mapping with its keys the other way round; lists keep their order."""
    if isinstance(value, dict):
        return {key: reordered(inner) for key, inner in reversed(value.items())}
    return [reordered(inner) for inner in value] if isinstance(value, list) else value


def test_only_what_a_call_does_changes_the_digest(tmp_path: Path) -> None:
    for folder in ("catalog", "policy", "flows/northwind-energy"):
        for file in (ROOT / folder).rglob("*.yaml"):
            copy = tmp_path / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
    text = (ROOT / FLOW).read_text()
    digest = digest_of(tmp_path, text)
    data = yaml.safe_load(text)
    same = {
        "another hash seed": (text, "4711"),
        "other comments": ("# first\n" + text.replace("\n\n", "\n# more\n\n", 3), "1"),
        "other line ends": (text.replace("\n", "\r\n").encode(), "2"),
        "another order and layout": (yaml.safe_dump(reordered(data), sort_keys=False), "3"),
        "another description": (text.replace("Remind the account holder", "Speak to them"), "4"),
    }
    for reason, (changed, seed) in same.items():
        assert digest_of(tmp_path, changed, seed) == digest, reason
    assert text.count("Be friendly and plain") == 1
    other = text.replace("Be friendly and plain", "Be friendly and brief")
    assert digest_of(tmp_path, other) != digest
