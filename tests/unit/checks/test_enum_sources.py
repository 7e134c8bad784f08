"""`x-enum-from` and what a tool needs: a release holds it, and what cannot be filled is found."""

from pathlib import Path

import pytest

from trunkline.compile import compile_repository

FLOW = """
    start: hello
    nodes:
      hello:
        instructions: Book a topic with book.
        tools: [book]MARK
        edges: [{to: done, when: they are done}]
      done: {kind: end, outcome: done}
    """
BOOK = """schema_version: 1
id: book
description: Books a topic.
parameters:
  type: object
  properties:
    topic: ARGUMENT
result: {type: object}
effects: []
run: {http: {method: GET, path: /run}}
"""
TOPICS = """schema_version: 1
id: list_topics
description: Lists the topics.
parameters: {type: object, properties: {x: {type: string}}}
result: {type: object, properties: {topics: {type: array}, name: {type: string}}}
effects: []
run: {http: {method: GET, path: /run}}
"""
FINE = "{type: string, x-enum-from: list_topics.topics}"


def files(argument: str, source: str = TOPICS, connection: str = "crm") -> dict[str, str]:
    return {
        "catalog/tools/crm/book.yaml": BOOK.replace("ARGUMENT", argument),
        f"catalog/tools/{connection}/list_topics.yaml": source,
    }


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        (FINE, ""),
        ("{type: string, x-enum-from: list_topic.topics}", "TL301"),
        ("{type: string, x-enum-from: list_topics.topic}", "TL103"),
        ("{type: string, x-enum-from: list_topics.name}", "TL103"),
        ("{type: string, x-enum-from: list_topics}", "TL304"),
        ("{type: string, x-enum-from: 7}", "TL304"),
        ("{type: integer, x-enum-from: list_topics.topics}", "TL304"),
        ("{type: string, enum: [a], x-enum-from: list_topics.topics}", "TL304"),
        ("{type: array, items: {type: string, x-enum-from: list_topics.topics}}", "TL304"),
    ],
)
def test_where_it_stands_and_what_it_names(judge, argument: str, code: str) -> None:
    judge(FLOW.replace("MARK", ""), files(argument + (f"  #! {code}" if code else "")))


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("{type: object, properties: {x", "{type: object, required: [x], properties: {x", "give"),
        ("effects: []", "effects: [writes]", "does more than read"),
        ("effects: []", "effects: []\nestablishes: {verified: 'true'}", "does more than read"),
    ],
)
def test_a_source_that_cannot_run_before_the_first_word(
    judge, change: str, to: str, said: str
) -> None:
    source = TOPICS.replace(change, to)
    (finding,) = judge(FLOW.replace("MARK", ""), files(f"{FINE}  #! TL304", source))
    assert said in finding.message


def test_a_source_of_a_system_that_is_not_connected(judge) -> None:
    flow = FLOW.replace("MARK", "  #! TL302")
    (finding,) = judge(flow, files(FINE, connection="mail"))
    assert finding.message == (
        "`book` uses `list_topics`, which needs the connection `mail`, "
        "which the tenant acme has not connected"
    )


def test_a_table_lists_what_its_tools_need_however_far_off(judge, tmp_path: Path) -> None:
    think = BOOK.replace("id: book", "id: think").replace("ARGUMENT", "{type: string}")
    run = "run: {subagent: {instructions: Think., tools: [TOOL]}}"
    plain = "run: {http: {method: GET, path: /run}}"
    deep = think.replace("id: think", "id: deeper").replace(plain, run.replace("TOOL", "book"))
    given = {
        **files(FINE),
        "catalog/tools/crm/think.yaml": think.replace(plain, run.replace("TOOL", "deeper")),
        "catalog/tools/crm/deeper.yaml": deep,
    }
    judge(FLOW.replace("[book]MARK", "[think]"), given)
    (table,) = compile_repository(tmp_path).tables.values()
    assert list(table["tools"]) == ["book", "deeper", "list_topics", "think"]
