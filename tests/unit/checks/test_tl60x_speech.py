"""TL601 to TL603: words with numbers, prices, links, secrets, markup or a comment in them."""

import time
from contextlib import suppress

import pytest

FLOW = """
    start: hello
    slots: {name: {type: string, ask: ASK}}
    nodes:
      hello:
        say: SAY
        instructions: INSTRUCTIONS
        collect: [name]
        tools: [{id: look_up, with: {code: CODE}}]
        edges:
          - {to: done, when: WHEN}
          - {to: done}
      done: {kind: end, outcome: done}
    """
FINE = {
    "ASK": "Your name?",
    "SAY": "Hello.",
    "INSTRUCTIONS": "look up",
    "CODE": "slots.name",
    "WHEN": "they are done",
}


@pytest.fixture
def said(judge):
    """Checks FLOW with some words in it, each marked with what it must give."""

    def check(place: str, words: str, codes: str):
        texts = {**FINE, place: words}
        flow = "\n".join(
            line.replace(place, words) + (f"  #! {codes}" if codes else "")
            if place in line
            else line
            for line in FLOW.splitlines()
        )
        for other, text in texts.items():
            flow = flow.replace(other, text)
        return [finding for finding in judge(flow, warnings=True) if finding.code.startswith("TL6")]

    return check


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Call us on 202 555 0143.", "a telephone number"),
        ("Call us on +1 (202) 555-0143.", "a telephone number"),
        ("Call us on 202.555.0143.", "a telephone number"),
        ("Call two zero two, five five five, zero one four three.", "a telephone number"),
        ("It is $49.", "a price"),
        ("It is 49.90 EUR a month.", "a price"),
        ("It is 5 dollars.", "a price"),
        ("See https://acme.example/pay.", "a link"),
        ("See www.acme.example now.", "a link"),
        ("See acme.com now.", "a link"),
        ("Write to help@acme.example.", "a link"),
        ("Use the key sk-live-abcdefghijklmnop1234.", "a key or password"),
        ("The password: hunter2.", "a key or password"),
        ("Send api_key=ab12cd along.", "a key or password"),
        ("Authorization: Bearer abc123", "a key or password"),
        ("Ask for the password: it is in the letter.", ""),
        ("The reference token: 12345.", ""),
        ("Press 9 to stop.", ""),
        ("Dial 911, or nine one one.", ""),
        ("The account of 2026, postcode 20001.", ""),
        ("Since 2026-11-29 we are open from 09 to 17.", ""),
        ("Call {{ tenant.vars.product }}.", ""),
        ("One or two of the three, four at most.", ""),
    ],
)
@pytest.mark.parametrize("place", ["ASK", "SAY", "INSTRUCTIONS", "CODE"])
def test_what_is_written_into_words(said, place: str, words: str, kind: str) -> None:
    if place == "CODE":
        words = f'"{words}"'
    found = said(place, f"'{words}'", "TL601" if kind else "")
    if place == "INSTRUCTIONS" and not found:
        return
    assert [finding.message for finding in found] == (
        [f"{kind} is written into the words"] if kind else []
    )


def test_what_a_use_gives_is_spoken_too(judge) -> None:
    shared = """
    params: {greeting: {type: string}}
    start: hello
    nodes:
      hello: {say: "{{ params.greeting }}", edges: [{to: done}]}
      done: {kind: end, outcome: done}
    """
    judge(
        'use: shared/whole\nwith: {greeting: "Call 202 555 0143."}  #! TL601\n',
        {"flows/shared/whole.yaml": shared},
    )


@pytest.mark.parametrize(
    ("words", "unspeakable"),
    [
        ("**Important**: listen.", True),
        ("Say `yes`.", True),
        ("<b>Listen</b>.", True),
        ("[us](there)", True),
        ("Hello 👋.", True),
        ("- one thing", True),
        ("x" * 401, True),
        ("x" * 400, False),
        ("Is 2 < 3 - or not?", False),
        ("Five * five.", False),
        ("Hello {{ tenant.display_name }}.", False),
    ],
)
def test_what_cannot_be_spoken(said, words: str, unspeakable: bool) -> None:
    said("SAY", f"'{words}'", "TL602" if unspeakable else "")
    said("INSTRUCTIONS", f"'look up {words}'", "")


@pytest.mark.parametrize("key", ["say", "instructions", "description", "when"])
def test_words_that_may_be_cut_off(judge, key: str) -> None:
    def flow(words: str, cut: bool) -> str:
        texts = {"say": "Hello.", "instructions": "Talk.", "description": "It.", "when": "so"}
        texts[key] = f"{words}  #! TL603" if cut else words
        return f"""
    description: {texts["description"]}
    start: hello
    nodes:
      hello:
        say: {texts["say"]}
        instructions: {texts["instructions"]}
        edges:
          - to: done
            when: {texts["when"]}
          - to: done
            when: they are done
      done: {{kind: end, outcome: done}}
    """

    judge(flow("Press", True), warnings=True)
    judge(flow('"Press # to repeat"', False), warnings=True)
    judge(flow('"Press"  # a comment', False), warnings=True)
    judge(flow("Press#1", False), warnings=True)
    # A comment for Trunkline is no text that was cut off; that it ignores nothing is told.
    judge(flow("Press  # trunkline: ignore[TL602] a reason  #! TL106", False), warnings=True)
    judge(flow(">-  # a comment\n              Press", False), warnings=True)


def test_a_description_of_the_catalogue_that_may_be_cut_off(judge) -> None:
    entry = """schema_version: 1
id: own
description: Presses  #! TL603
parameters: {type: object, properties: {}}
result: {type: object, properties: {}}
effects: []
run: {http: {method: GET, path: /run}}
"""
    flow = "start: done\nnodes: {done: {kind: end, outcome: done}}\n"
    judge(flow, {"catalog/tools/crm/own.yaml": entry}, warnings=True)


@pytest.mark.parametrize("words", ["a-", "a.", "a@", "1 ", "one ", "<a", "{{ a "])
def test_a_long_text_takes_no_longer_than_its_length(judge, words: str) -> None:
    before = time.monotonic()
    flow = f"""
    start: done
    nodes:
      done:
        kind: end
        say: "{words * 20_000}"
        outcome: done
    """
    with suppress(AssertionError):  # what is found in it is not the question
        judge(flow)
    assert time.monotonic() - before < 3


CALLING = """
    start: hello
    slots: {name: {type: string}}
    nodes:
      hello:
        collect: [name]
        instructions: call_it
        tools: [TOOL]
        edges: [{to: done}]
      done: {kind: end, outcome: done}
    """
CALL_IT = """
    schema_version: 1
    id: call_it
    description: A tool.
    parameters:
      type: object
      properties:
        api_key: {type: string}
        key_to_press: {type: string}
        token_count: {type: integer}
    result: {type: object, properties: {}}
    effects: []
    run:
      http:
        method: GET
        path: /run
    """
CALL_IT_AT = "catalog/tools/crm/call_it.yaml"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("api_key: '\"swordfish\"'", True),
        ('api_key: \'"sword" + "fish"\'', True),
        ("api_key: slots.name", False),
        ("key_to_press: '\"nine\"'", False),
        ("token_count: 4", False),
    ],
)
def test_an_argument_with_the_name_of_a_secret(judge, given: str, found: bool) -> None:
    flow = CALLING.replace("TOOL]", f"{{id: call_it, with: {{{given}}}}}]{'  #! TL601' * found}")
    judge(flow, {CALL_IT_AT: CALL_IT})


def test_secrets_in_the_catalogue_and_in_the_variables_of_a_tenant(judge) -> None:
    request = [
        "headers:",
        "  X-Api-Key: '\"swordfish\"'  #! TL601",
        "  Accept: '\"text/plain\"'",
        "json: {auth: {password: '\"swordfish\"'}, note: '\"fine\"'}  #! TL601",
    ]
    tenant = """
        schema_version: 1
        id: acme
        display_name: Acme
        timezone: America/New_York
        connections: {crm: {}}
        vars:
          product: power
          crm_password: swordfish  #! TL601
          greeting: "The password: hunter2"  #! TL601
        """
    entry = CALL_IT + "".join(f"    {line}\n    " for line in request)
    files = {CALL_IT_AT: entry, "flows/acme/tenant.yaml": tenant}
    judge(CALLING.replace("TOOL", "call_it"), files)
