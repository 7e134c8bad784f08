"""TL101: a pattern that nothing said could be held against."""

import pytest

FLOW = """
    start: hello
    inputs:
      code:
        type: string
        pattern: "[0-9]+"  # INPUT
    slots:
      name:
        type: string
        pattern: "[A-Z]\\\\w+"  # SLOT
    nodes:
      hello:
        collect: [name]
        edges: [{to: done}]
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize("room", ["INPUT", "SLOT"])
@pytest.mark.parametrize("pattern", ["(", "[a-", "a{2,1}", "(?P<x", "*"])
def test_it_is_told_where_it_stands(judge, room: str, pattern: str) -> None:
    judge(FLOW)
    line = next(each for each in FLOW.splitlines() if each.endswith(room))
    written = f'        pattern: "{pattern}"  #! TL101'
    (finding,) = judge(FLOW.replace(line, written))
    assert finding.message.startswith("this is no regular expression: ")
    assert finding.column == 14
