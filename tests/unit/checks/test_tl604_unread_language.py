"""TL604: what callers say in languages that the runtime does not read."""

import pytest

FLOW = """
    schema_version: 1
    id: flow
    direction: inbound
    language: LANGUAGE
    start: ask
    slots: {day: {type: date}, hour: {type: time}, name: {type: string}}
    nodes:
      ask:
        collect: [day, hour, name]
        edges: [{to: sure}]
      sure: {kind: confirm, say: Yes?, on_yes: done, on_no: done, on_unclear: done}
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize(
    ("language", "messages"),
    [
        ("en-GB", []),
        ("es-US", []),
        ("de-DE", []),
        (
            "it-IT",
            [
                "what callers say for `day` and `hour` is not read in it-IT: the model must "
                "write the value itself"
            ],
        ),
        (
            "pl-PL",
            [
                "a spoken yes or no is not understood in pl-PL: only the keys 1 and 2 answer",
                "what callers say for `day` and `hour` is not read in pl-PL: the model must "
                "write the value itself",
            ],
        ),
    ],
)
def test_what_is_not_read_is_said(judge, language: str, messages: list[str]) -> None:
    mark = f"{language}  #! {' '.join(['TL604'] * len(messages))}" if messages else language
    found = judge(FLOW.replace("LANGUAGE", mark), warnings=True)
    assert [finding.message for finding in found if finding.code == "TL604"] == messages
    assert all(finding.severity == "warning" for finding in found)
