"""TL402: each reader of a slot that may not be set, once, with the shortest such path."""

import pytest

READERS = """
    start: hello
    slots:
      name: {type: string}
      day: {type: date, ask: "Which day, {{ slots.name }}?"ASK}
    silence: {say: "Are you there, {{ slots.name }}?"SILENCE}
    anywhere:
      - {to: done, when: "they are done", say: "Bye {{ slots.name }}."ANYWHERE}
    nodes:
      hello:
        say: Hello {{ slots.name }}.SAY
        say_again: Hello again {{ slots.name }}.AGAIN
        instructions: Greet {{ slots.name }}.INSTRUCTIONS
        collect: [day]
        tools:
          - id: look_up
            with: {name: slots.name}WITH
            if: slots.name != ""TOOL
        edges:
          - to: check
            if: slots.name != ""IF
            say: One moment, {{ slots.name }}.EDGE
          - {to: human, when: they want a human}
          - {to: other, when: they want something else}
      check:
        kind: confirm
        say: Is it {{ slots.name }}?CONFIRM
        on_yes: done
        on_no: hello
        on_unclear: hello
      human:
        kind: transfer
        number: {by: slots.name, jane: support}BY
        say: One moment {{ slots.name }}.TRANSFER
        summary: [name]
        on_failure: done
      other: {kind: link, flow: second, with: {name: slots.name}}LINK
      done:
        kind: end
        say: Bye {{ slots.name }}.END
        outcome: done
    """
SECOND = """
    start: bye
    slots: {name: {type: string}}
    nodes: {bye: {kind: end, outcome: done}}
    """
PLACES = (
    *("ASK", "SILENCE", "ANYWHERE", "SAY", "AGAIN", "INSTRUCTIONS", "WITH", "TOOL", "IF", "EDGE"),
    *("CONFIRM", "BY", "TRANSFER", "LINK", "END"),
)


def marked(text: str, mark: str) -> str:
    for place in PLACES:
        text = text.replace(place + "\n", f"{mark}\n").replace(place + "}\n", f"}}{mark}\n")
    return text


def traces(findings) -> list[tuple[str, ...]]:
    return [finding.trace for finding in findings]


def test_every_place_that_reads_a_slot(judge) -> None:
    findings = judge(marked(READERS, "  #! TL402"), {"flows/acme/second.yaml": SECOND})
    assert len(findings) == len(PLACES)
    assert {trace[0] for trace in traces(findings)} == {"hello"}


def test_a_slot_that_is_set_on_every_path_may_be_read_everywhere(judge) -> None:
    asked = (
        marked(READERS, "")
        .replace("start: hello", "start: ask")
        .replace(
            "    nodes:\n",
            """
    nodes:
      ask:
        collect: [name]
        edges: [{to: hello}]
    """.strip("\n").rstrip()
            + "\n",
        )
    )
    # Only what holds on every talk node is read on `ask` itself, before the name is known.
    for place in ('?"}\n    anywhere', '."}\n    nodes', "}}.\n        outcome"):
        assert asked.count(place) == 1
        asked = asked.replace(place, place.replace("\n", "  #! TL402\n", 1))
    findings = judge(asked, {"flows/acme/second.yaml": SECOND})
    assert traces(findings) == [("ask",), ("ask",), ("ask", "done")]


def flow(nodes: str, more: str = "") -> str:
    return f"""
    start: hello
    slots:
      name: {{type: string}}
      extra: {{type: string, optional: true}}
      amount: {{type: number}}
    {more}
    nodes:
{nodes}
      done: {{kind: end, outcome: done}}
"""


def test_collecting_sets_a_slot_only_on_exits_that_wait_for_it(judge) -> None:
    judge(
        flow("""
      hello:
        collect: [name]
        edges:
          - {to: told}
          - {to: untold, when: they refuse}
      told: {kind: end, say: "Hi {{ slots.name }}.", outcome: done}
      untold: {kind: end, say: "Hi {{ slots.name }}.", outcome: done}  #! TL402
    """).replace("      done: {kind: end, outcome: done}\n", "")
    )


def test_an_optional_slot_may_be_declined(judge) -> None:
    judge(
        flow("""
      hello:
        collect: [extra]
        edges:
          - {to: given, requires: [slots.extra]}
          - {to: maybe}
      given: {kind: end, say: "Hi {{ slots.extra }}.", outcome: done}
      maybe: {kind: end, say: "Hi {{ slots.extra }}.", outcome: done}  #! TL402
    """).replace("      done: {kind: end, outcome: done}\n", "")
    )


def test_an_optional_slot_that_was_set_may_be_declined_where_it_is_asked_again(judge) -> None:
    findings = judge(
        flow("""
      hello:
        collect: [extra]
        edges:
          - {to: again, when: they gave it, requires: [slots.extra]}
          - {to: done, when: they are done}
      again:
        say: "Is {{ slots.extra }} right?"
        collect: [extra]
        edges: [{to: told}]
      told: {kind: end, say: "Hi {{ slots.extra }}.", outcome: done}  #! TL402
    """)
    )
    assert traces(findings) == [("hello", "again", "told")]


def test_requires_is_checked_before_if(judge) -> None:
    judge(
        flow("""
      hello:
        edges:
          - {to: done, when: one, if: slots.amount > 1.0, requires: [slots.amount]}
          - {to: done, when: two, if: slots.amount > 1.0}  #! TL402
    """)
    )


def test_what_a_tool_sets_is_unset_while_it_runs(judge) -> None:
    """A second call of `fetch` unsets the amount that the first one brought."""
    findings = judge(
        flow("""
      hello:
        instructions: fetch
        tools: [{id: fetch, sets: {amount: result.amount}}]
        edges:
          - {to: more, when: it is there, requires: [slots.amount]}
          - {to: done, when: it is not}
      more:
        instructions: "Say the amount. fetch"
        tools: [{id: fetch, sets: {amount: result.amount}}]
        edges:
          - {to: done, when: fine, if: slots.amount > 1.0}  #! TL402
          - {to: done, when: good, requires: [slots.amount], if: slots.amount > 1.0}
    """)
    )
    assert traces(findings) == [("hello", "more")]


def test_a_tool_waits_for_what_its_node_collects_or_sets(judge) -> None:
    judge(
        flow("""
      hello:
        collect: [name]
        instructions: look up, then charge
        tools:
          - {id: look_up, with: {name: slots.name}}
          - {id: fetch, sets: {amount: result.amount}}
          - {id: look_up, with: {code: slots.extra}}  #! TL402
          - {id: listen, with: {name: slots.name}, if: slots.amount > 1.0}
        edges:
          - {to: done, when: they are done}
    """)
    )


def test_clears_unsets(judge) -> None:
    findings = judge(
        flow("""
      hello:
        collect: [name]
        edges:
          - {to: told}
      told:
        instructions: Talk to {{ slots.name }}.  #! TL402
        edges:
          - {to: told, when: it was wrong, clears: [name]}
          - {to: done, when: it was right}
    """)
    )
    assert traces(findings) == [("hello", "told", "told")]


def test_requires_and_clears_of_the_same_slot_leave_it_unset(judge) -> None:
    judge(
        flow("""
      hello:
        edges:
          - {to: told, when: go on, requires: [slots.name], clears: [name]}
          - {to: done, when: they refuse}
      told: {kind: end, say: "Hi {{ slots.name }}.", outcome: done}  #! TL402
    """)
    )


def test_summary_and_after_call_leave_unset_slots_out(judge) -> None:
    judge(
        flow(
            """
      hello:
        edges:
          - {to: human, when: they want a human}
          - {to: done, when: they refuse}
      human: {kind: transfer, number: support, summary: [name], on_failure: done}
    """,
            "after_call: [{id: look_up, with: {name: slots.name}}]",
        )
    )


def test_a_choice_of_numbers_with_a_default_may_be_made_without_the_slot(judge) -> None:
    judge(
        flow("""
      hello:
        edges: [{to: human, when: they want a human}]
      human:
        kind: transfer
        number: {by: slots.name, jane: nurses, default: support}
        on_failure: done
    """)
    )


def test_inputs_are_always_set_and_unreachable_nodes_are_not_looked_at(judge) -> None:
    judge(
        flow(
            """
      hello:
        say: "Hello {{ inputs.account }}."
        edges: [{to: done, when: fine}]
      never:  #! TL201
        say: "Hello {{ slots.name }}."
        edges: [{to: done, when: fine}]
    """,
            "inputs: {account: {type: string}}",
        )
    )


@pytest.mark.parametrize("count", [1, 2])
def test_a_reader_is_told_once_for_each_slot(judge, count: int) -> None:
    """Two ways lead to it without the slot; one reader of two slots is two findings."""
    text = "{{ slots.name }}" if count == 1 else "{{ slots.name }} {{ slots.extra }}"
    findings = judge(
        flow(f"""
      hello:
        edges:
          - {{to: a, when: one}}
          - {{to: b, when: two}}
      a: {{edges: [{{to: c}}]}}
      b: {{edges: [{{to: c}}]}}
      c: {{kind: end, say: "Hi {text}.", outcome: done}}  #! TL402
    """).replace("      done: {kind: end, outcome: done}\n", "")
    )
    assert traces(findings) == [("hello", "a", "c")] * count
    last = findings[-1]
    assert last.message == "`say` reads `slots.name`, which is not set on every path to it"
    assert last.help == (
        "Collect `name` on every way to this node, or let each exit that leads here say "
        "`requires: [slots.name]`."
    )


def test_words_that_are_said_while_a_tool_of_the_node_sets_the_slot_anew(judge) -> None:
    """What is said on entry is said before the tool starts; all else may be said meanwhile."""
    flow = """
        start: hello
        slots:
          amount: {type: number}
          code: {type: string, ask: "Which code?"}
        nodes:
          hello:
            collect: [amount]
            edges: [{to: tell}]
          tell:
            say: "It was {{ slots.amount }}."
            instructions: "Tell them."
            collect: [code]
            silence: {say: "Well?"}
            tools: [{id: fetch, sets: {amount: result.amount}}]
            edges: [{to: done, when: they go}]
          done: {kind: end, outcome: done}
        """
    judge(flow)
    judge(flow.replace('"Well?"}', '"It is {{ slots.amount }}."}  #! TL402'))
    judge(flow.replace('"Tell them."', '"Tell them {{ slots.amount }}."  #! TL402'))
    judge(flow.replace('"Which code?"}', '"Which code, of {{ slots.amount }}?"}  #! TL402'))


def test_what_sets_reads_besides_the_result(judge) -> None:
    """Read when the result is there: the tool may wait for a slot, or it must be set before."""
    text = """
        start: hello
        slots:
          name: {type: string}
          extra: {type: string, optional: true}
          amount: {type: number}
          total: {type: number}
          label: {type: string}
        nodes:
          hello:
            collect: [name, extra]
            instructions: look_up and fetch
            tools:
              - {id: look_up, with: {name: slots.name}, sets: {label: slots.name + result.match}}
              - {id: listen, with: {code: slots.extra}, sets: {label: slots.extra}}  #! TL402
              - {id: forget, sets: {label: slots.name}}  #! TL402
            edges:
              - {to: more, requires: [slots.amount]}
              - {to: done, when: they go}
          more:
            instructions: fetch
            tools:
              - {id: fetch, sets: {total: result.amount + slots.amount}}
              - {id: fetch, sets: {amount: result.amount + slots.amount}}  #! TL402
            edges: [{to: done, when: they go}]
          done: {kind: end, outcome: done}
        """
    more, again = "slots.amount}}\n", "slots.amount}}  #! TL402"
    # While the other use fetches the amount anew, it is not set.
    both = text.replace(more, again + "\n", 1)
    judge(both)
    assert again in both
    other = "              - {id: fetch, sets: {amount: result.amount + slots.amount}}  #! TL402\n"
    judge(text.replace(other, ""))


def test_sets_reads_what_a_host_gives_and_facts_that_something_proves(judge) -> None:
    shared = """
        params: {fee: {type: number}}
        exits: [done]
        start: ask
        nodes:
          ask:
            instructions: fetch
            tools: [{id: fetch, sets: {amount: result.amount + params.fee}}]
            edges: [{to: exit/done, when: they go}]
        """
    flow = """
        start: sub
        slots: {amount: {type: number}, sure: {type: boolean}}
        nodes:
          sub:
            kind: subflow
            flow: shared/sub
            with: {fee: "2.5"}
            exits: {done: last}
          last:
            instructions: forget
            tools: [{id: forget, sets: {sure: facts.paid}}]  #! TL403
            edges: [{to: done, when: they go}]
          done: {kind: end, outcome: done}
        """
    judge(flow, {"flows/shared/sub.yaml": shared})


def test_what_is_said_in_the_silence_after_a_question(judge) -> None:
    judge("""
        start: sure
        silence: {say: "Are you there, {{ slots.name }}?"}  #! TL402
        slots: {name: {type: string}}
        nodes:
          sure: {kind: confirm, say: Sure?, on_yes: done, on_no: done, on_unclear: done}
          done: {kind: end, outcome: done}
        """)


LINKING = """
    start: ask
    slots: {owed: {type: number}}
    nodes:
      ask: {collect: [owed], edges: [{to: go}]}
      go: {kind: link, flow: second, with: {amount: WITH}}
    """
LINKED = """
    start: tell
    slots: {amount: {type: number}}
    nodes:
      tell: {say: "It is {{ slots.amount }}.", edges: [{to: tell, when: again}, {to: done}]}MARK
      done: {kind: end, outcome: done}
    """
NUMBER = """
    schema_version: 1
    id: acme
    display_name: Acme
    timezone: America/New_York
    inbound: {"+12025550110": flow}
    """
ANOTHER = "start: go\nnodes: {go: {kind: link, flow: flow}}\n"


@pytest.mark.parametrize(
    ("given", "more", "is_set"),
    [
        ("slots.owed", {}, True),
        ("4.5", {}, True),
        # Nobody knows whether it can be worked out, so the flow may begin without it.
        ("slots.owed / 2.0", {}, False),
        ("slots.owed", {"flows/acme/third.yaml": ANOTHER}, False),
        ("slots.owed", {"flows/shared/third.yaml": f"exits: [over]\n{ANOTHER}"}, False),
        ("slots.owed", {"flows/acme/tenant.yaml": NUMBER}, False),
    ],
)
def test_a_slot_that_every_link_gives(
    judge, given: str, more: dict[str, str], is_set: bool
) -> None:
    """A flow that only links lead to begins with what all of them give."""
    linked = LINKED.replace("MARK", "" if is_set else "  #! TL402")
    judge(
        linked,
        {"flows/acme/first.yaml": LINKING.replace("second", "flow").replace("WITH", given), **more},
    )


def test_a_link_of_the_flow_itself_counts_and_is_not_enough(judge) -> None:
    again = LINKED.replace("{to: tell, when: again}", "{to: go, when: again}")
    itself = again.replace(
        "      done:", "      go: {kind: link, flow: flow, with: {amount: 2.0}}\n      done:"
    )
    first = LINKING.replace("second", "flow").replace("WITH", "slots.owed")
    judge(itself.replace("MARK", "  #! TL402"))
    judge(itself.replace("MARK", ""), {"flows/acme/first.yaml": first})
    empty = itself.replace(", with: {amount: 2.0}", "")
    judge(empty.replace("MARK", "  #! TL402"), {"flows/acme/first.yaml": first})


def test_what_a_link_gives_can_be_lost(judge) -> None:
    first = LINKING.replace("second", "flow").replace("WITH", "slots.owed")
    cleared = LINKED.replace("when: again", "when: again, clears: [amount]")
    (finding,) = judge(cleared.replace("MARK", "  #! TL402"), {"flows/acme/first.yaml": first})
    assert finding.trace == ("tell", "tell")
