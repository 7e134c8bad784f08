"""Help that mends the fault, and one finding where one thing is wrong."""

import pytest

from trunkline.nearest import nearest

VERIFIED = """
    start: hello
    slots:
      name: {type: string}
      code: {type: string}
    nodes:
      hello:
        edges:
          - {to: ask, when: they want to pay}
          - {to: done, when: they are finished}
      ask:
        collect: [name, code]
        tools:
          - {id: look_up, with: {name: slots.name, code: slots.code}}
        edges:
          - {to: pay, when: it is them, requires: [verified], clears: [code]}
          - {to: done, when: it is somebody else}
      pay:
        tools: [charge]  #! TL401
        edges:
          - {to: done, if: facts.paid}
          - {to: ask, when: a detail was wrong}
      done: {kind: end, outcome: done}
    """


def test_an_exit_that_requires_a_proof_and_takes_it_away_is_told_so(judge) -> None:
    (finding,) = judge(VERIFIED)
    assert finding.trace == ("hello", "ask", "pay")
    assert finding.help == (
        "The exit that leads to `pay` clears `code`, and `verified` falls with it, whatever the "
        "exit requires: take that out of `clears`, or lead to where it is proven."
    )


SPEAK = """
    schema_version: 1
    obligations:
      - id: say-it
        level: mandatory
        kind: disclosure
        description: What must be said.
        disclosures: [ai, recording, german]
        source: company policy
        verified: "2026-11-29"
        effective_from: "2026-01-01"
    """
WORDS = """
    schema_version: 1
    disclosures:
      ai: {texts: {en-US: I am a machine.}}
      recording: {texts: {en-US: This is recorded.}}
      german: {texts: {en-US: I speak German.}}
    """
COLLECTS = """
    start: ask
    slots: {name: {type: string}}
    nodes:
      ask: #! TL501
        speak: [recording]
        collect: [name]
        edges: [{to: done}]
      done: {kind: end, outcome: done}
    """


def test_all_disclosures_that_are_missing_are_named_at_once(judge) -> None:
    files = {"policy/obligations.yaml": SPEAK, "policy/disclosures.yaml": WORDS}
    (finding,) = judge(COLLECTS, files)
    assert "has heard `ai` and `german` on every path" in finding.message
    assert "`speak: [ai, german]`" in finding.help


TENANT = """
    schema_version: 1
    id: acme
    display_name: Acme
    timezone: America/New_Yorkk  #! TL103
    connections: {mail: {}}
    """
COSTLY = """
    start: hello
    nodes:
      hello:
        tools:
          - {id: post, with: {text: '"a"'}, max_calls: 9}
        edges: [{to: done, when: they are done}]
      done: {kind: end, outcome: done}
    """
POST = """
    schema_version: 1
    id: post
    description: A tool.
    parameters: {type: object, properties: {text: {type: string}}}
    result: {type: object}
    effects: [contact]
    cost: {micros: 20000, currency: USD}
    run: {http: {method: GET, path: /run}}
    """
CAP = """
    schema_version: 1
    caps:
      - id: cap
        level: mandatory
        description: A cap.
        per: call
        limit: {micros: 30000, currency: USD}
        source: company policy
        verified: "2026-11-29"
        effective_from: "2026-01-01"
    """


def test_a_time_zone_that_is_not_there_is_one_fault(judge) -> None:
    files = {"policy/spend.yaml": CAP, "catalog/tools/mail/post.yaml": POST}
    (finding,) = judge(COSTLY, {**files, "flows/acme/tenant.yaml": TENANT})
    assert finding.message == "there is no time zone `America/New_Yorkk`"


@pytest.mark.parametrize("word", ["done", "end", "paid"])
def test_a_word_that_is_far_from_all_is_none_of_them(word: str) -> None:
    known = ["abandoned", "opt_out", "transferred", "hung_up", "busy", "no_answer", "failed"]
    assert nearest(word, known) is None


@pytest.mark.parametrize(
    ("word", "meant"),
    [("abandonned", "abandoned"), ("no_anwser", "no_answer"), ("hangup", "hung_up")],
)
def test_a_slip_is_still_seen(word: str, meant: str) -> None:
    known = ["abandoned", "opt_out", "hung_up", "no_answer"]
    assert nearest(word, known) == meant
