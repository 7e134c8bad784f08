"""TL301 and TL302: tools that do not exist, or that the tenant cannot reach."""

FLOW = """
    start: hello
    slots: {day: {type: choice, choices_from: fetch.days}}
    after_call:
      - look_up
    nodes:
      hello:
        collect: [day]
        tools:
          - fetch
          - {id: look_up, max_calls: 1}
        edges: [{to: done}]
      done: {kind: end, outcome: done}
    """


def test_tools_that_exist(judge) -> None:
    judge(FLOW)


def test_tools_that_do_not(judge) -> None:
    findings = judge(
        FLOW.replace("- look_up\n", "- lookup  #! TL301\n")
        .replace("- fetch\n", "- fetch\n          - fetsh  #! TL301\n")
        .replace("{id: look_up, max_calls: 1}", "{id: xyz, max_calls: 1}  #! TL301")
        .replace("fetch.days}}", "ftch.days}}  #! TL301")
    )
    assert [(finding.column, finding.help) for finding in findings] == [
        (43, "Did you mean `fetch`?"),
        (5, "Did you mean `look_up`?"),
        (9, "Did you mean `fetch`?"),
        (14, "Compliance would add it as catalog/tools/<connection>/xyz.yaml."),
    ]


def test_a_tool_whose_file_cannot_be_relied_on_is_told_there_alone(judge) -> None:
    judge(FLOW, {"catalog/tools/crm/fetch.yaml": "id: fetch  #! TL101\n"})


def test_a_connection_that_is_missing(judge) -> None:
    text = FLOW.replace("- look_up\n", "- post  #! TL302\n").replace(
        "- fetch\n", "- fetch\n          - {id: post}  #! TL302\n"
    )
    findings = judge(text)
    assert findings[0].message == (
        "`post` needs the connection `mail`, which the tenant acme has not connected"
    )
    assert "It has `billing` and `crm`." in findings[0].help


def test_tools_of_a_subagent(judge) -> None:
    entry = """schema_version: 1
id: think
description: Thinks.
parameters: {type: object, properties: {}}
result: {type: object, properties: {}}
effects: []
run:
  subagent:
    instructions: Think.
    tools: [fetch, fetsh]  #! TL301
"""
    judge(FLOW, {"catalog/tools/crm/think.yaml": entry})


def test_an_entry_that_names_another_id_than_its_file(judge) -> None:
    """It counts under the name of its file: what is said of it is said once, of its `id`."""
    renamed = """schema_version: 1
id: fetched  #! TL102
description: A tool.
parameters: {type: object, additionalProperties: false, properties: {}}
result: {type: object, properties: {days: {type: array, items: {type: string}}}}
effects: []
timeout_seconds: 5
run: {http: {method: GET, path: /run}}
"""
    judge(FLOW, {"catalog/tools/crm/fetch.yaml": renamed})
