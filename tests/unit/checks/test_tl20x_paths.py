"""TL201 to TL203: nodes that no call comes to or gets away from, and loops without the caller."""

import pytest


def test_every_kind_of_way_reaches(judge) -> None:
    judge(
        """
        start: a
        error: g
        anywhere: [{to: b, when: one}]
        keys: {"1": c}
        answer: {machine: d}
        silence: {to: e}
        limits: {to: f}
        nodes:
          a:
            keys: {"2": h}
            silence: {after_seconds: 4, to: i}
            edges:
              - {to: j, when: two}
              - {to: m, when: three}
          b: {kind: end, outcome: done}
          c: {kind: end, outcome: done}
          d: {kind: end, outcome: done}
          e: {kind: end, outcome: done}
          f: {kind: end, outcome: done}
          g: {kind: end, outcome: done}
          h: {kind: end, outcome: done}
          i: {kind: end, outcome: done}
          j: {kind: confirm, say: Yes?, on_yes: k, on_no: l, on_unclear: m}
          k: {kind: end, outcome: done}
          l: {kind: transfer, number: support, on_failure: nn}
          m: {limits: {max_visits: 1, to: o}, edges: [{to: m2, when: go}]}
          m2: {edges: [{to: m, when: again}]}
          nn: {kind: end, outcome: done}
          o: {kind: end, outcome: done}
        """.replace("          m:", "          m:").replace("[{to: m2}]", "[{to: m2, when: go}]")
    )


def test_a_key_of_a_node_that_the_flow_has_taken_leads_nowhere(judge) -> None:
    judge("""
        start: a
        keys: {"1": done}
        nodes:
          a: {keys: {"1": hidden}, edges: [{to: done, when: they are done}]}
          hidden: {kind: end, outcome: done}  #! TL201
          done: {kind: end, outcome: done}
        """)


def test_unreachable_nodes_are_told_one_by_one(judge) -> None:
    judge("""
        start: a
        nodes:
          a: {edges: [{to: done, when: they are done}]}
          b: {edges: [{to: c, when: go}]}  #! TL201
          c: {edges: [{to: b, when: go}, {to: done, when: they are done}]}  #! TL201
          d: {return: true}  #! TL201
          done: {kind: end, outcome: done}
        """)


def test_only_exits_of_the_conversation_lead_out(judge) -> None:
    """A key, silence, a limit and an error are for what went wrong."""
    stuck = """
        start: a
        error: done
        keys: {"1": done}
        silence: {to: done}
        limits: {to: done}
        nodes:
          a: {edges: [{to: b, when: go}]}  #! TL202
          b: {keys: {"2": done}, edges: [{to: a, when: go}]}  #! TL202
          done: {kind: end, outcome: done}
        """
    judge(stuck)
    judge(
        stuck.replace("  #! TL202", "").replace(
            "start: a\n", "start: a\n        anywhere: [{to: done, when: they are done}]\n"
        )
    )


@pytest.mark.parametrize(
    "way_out",
    [
        "{kind: confirm, say: Yes?, on_yes: a, on_no: a, on_unclear: done}",
        "{kind: transfer, number: support, on_failure: a}",
        "{kind: route, edges: [{to: a, if: call.minutes > 1}, {to: done, else: true}]}",
        "{kind: link, flow: second}",
        "{return: true}",
    ],
)
def test_ways_out(judge, way_out: str) -> None:
    """The aside goes back to `a`, which leads out by itself."""
    own = ", {to: done, when: they are done}" if "return" in way_out else ""
    end = "" if "done" in way_out or own else "  #! TL201"
    judge(
        f"""
        start: a
        nodes:
          a: {{edges: [{{to: b, when: go}}{own}]}}
          b: {way_out}
          done: {{kind: end, outcome: done}}{end}
        """,
        {"flows/acme/second.yaml": "start: x\nnodes: {x: {kind: end, outcome: done}}\n"},
    )


def test_an_aside_is_as_stuck_as_the_node_it_goes_back_to(judge) -> None:
    judge("""
        start: a
        nodes:
          a: {edges: [{to: b, when: go}, {to: c, when: back}]}
          b: {edges: [{to: d, when: hours}]}  #! TL202
          c: {edges: [{to: e, when: hours}, {to: done, when: they are done}]}
          d: {return: true}  #! TL202
          e: {return: true}
          done: {kind: end, outcome: done}
        """)


def loops(findings) -> list[tuple[str, ...]]:
    return [finding.trace for finding in findings if finding.code == "TL203"]


def test_a_loop_of_routes(judge) -> None:
    findings = judge("""
        start: b
        nodes:
          a: {kind: route, edges: [{to: b, else: true}]}  #! TL203
          b: {kind: route, edges: [{to: a, if: call.minutes > 1}, {to: done, else: true}]}
          done: {kind: end, outcome: done}
        """)
    assert loops(findings) == [("a", "b", "a")]


@pytest.mark.parametrize(
    ("node", "top"),
    [
        ("a: {edges: [{to: a}, {to: done, when: fine}]}", ""),
        ("a: {edges: [{to: a, if: call.minutes > 1}, {to: done, when: fine}]}", ""),
        ("a: {silence: {to: a}, edges: [{to: done, when: fine}]}", ""),
        ("a: {edges: [{to: done, when: fine}]}", "silence: {to: a}"),
        ("a: {edges: [{to: done, when: fine}]}", "limits: {to: a}"),
        ("a: {edges: [{to: done, when: fine}]}", "anywhere: [{to: a, if: call.minutes > 9}]"),
        ("a: {limits: {to: a}, edges: [{to: a, when: again}, {to: done, when: fine}]}", ""),
    ],
)
def test_a_node_that_is_its_own_loop(judge, node: str, top: str) -> None:
    findings = judge(f"""
        start: a
        {top}
        nodes:
          {node}  #! TL203
          done: {{kind: end, outcome: done}}
        """)
    assert loops(findings) == [("a", "a")]


@pytest.mark.parametrize(
    "flow",
    [
        # A yes or no, a key, an error and the model's choice do not come by themselves.
        """
        start: a
        error: b
        keys: {"1": a}
        nodes:
          a: {kind: confirm, say: Yes?, on_yes: a, on_no: b, on_unclear: a}
          b: {edges: [{to: a}, {to: b, when: again}]}
        """.replace("{to: b, when: again}", "{to: done, when: again}").replace(
            "        nodes:\n", "        nodes:\n          done: {kind: end, outcome: done}\n"
        ),
        # Nor does the end of an aside.
        """
        start: a
        silence: {to: b}
        nodes:
          a: {edges: [{to: done, when: fine}]}
          b: {return: true, silence: {to: done}}
          done: {kind: end, outcome: done}
        """,
        # A failed transfer asks before it tries again.
        """
        start: a
        nodes:
          a: {kind: transfer, number: support, on_failure: b}
          b: {edges: [{to: a, when: try again}, {to: done, when: fine}]}
          done: {kind: end, outcome: done}
        """,
    ],
)
def test_loops_that_wait_for_the_caller(judge, flow: str) -> None:
    judge(flow)


def test_a_transfer_that_fails_into_itself(judge) -> None:
    findings = judge("""
        start: a
        nodes:
          a: {kind: transfer, number: support, on_failure: b}  #! TL203
          b: {kind: route, edges: [{to: a, if: call.minutes < 2}, {to: done, else: true}]}
          done: {kind: end, outcome: done}
        """)
    assert loops(findings) == [("a", "b", "a")]


ASKING = """
    start: a
    slots: {x: {type: string}, z: {type: string}}
    nodes:
      a: {collect: [x], edges: [{to: b}, {to: done, when: fine}]}MARK
      b:
        collect: [z]
        edges:
          - {to: a, requires: [slots.x]CLEARS}
          - {to: done, when: fine}
      done: {kind: end, outcome: done}
    """


@pytest.mark.parametrize(
    ("clears", "loops"),
    [
        ("", True),
        (", clears: [x]", False),
        (", clears: [z]", False),
        (", clears: [x, z]", False),
        (", correction: true", False),
    ],
)
def test_a_loop_stops_where_it_collects_what_it_clears(judge, clears: str, loops: bool) -> None:
    mark = "  #! TL203" if loops else ""
    judge(ASKING.replace("CLEARS", clears).replace("MARK", mark))


def test_a_correction_asks_only_where_its_target_collects(judge) -> None:
    judge("""
        start: a
        nodes:
          a: {edges: [{to: b}, {to: done, when: fine}]}  #! TL203
          b: {kind: route, edges: [{to: done, if: call.visits > 3}, {to: c, else: true}]}
          c: {edges: [{to: a, correction: true}, {to: done, when: fine}]}
          done: {kind: end, outcome: done}
        """)


def test_collecting_and_clearing_must_be_on_the_same_loop(judge) -> None:
    """Through `c` the call clears and never asks; through `d` it asks only the first time."""
    findings = judge("""
        start: a
        slots: {x: {type: string}}
        nodes:
          a:  #! TL203
            kind: route
            edges:
              - {to: c, if: call.minutes > 3}
              - {to: d, if: call.minutes > 2}
              - {to: done, else: true}
          c: {kind: route, edges: [{to: a, else: true, clears: [x]}]}
          d: {collect: [x], edges: [{to: a}, {to: done, when: fine}]}
          done: {kind: end, outcome: done}
        """)
    assert loops(findings) == [("a", "d", "a")]


def test_two_slots_that_stop_two_halves_of_a_loop(judge) -> None:
    """Each of the two ways from `a` stops by its own slot: no way round is without the caller."""
    flow = """
        start: a
        slots: {x: {type: string}, z: {type: string}}
        nodes:
          a:MARK
            kind: route
            edges:
              - {to: b, if: call.minutes > 3, clears: [x]}
              - {to: c, if: call.minutes > 2, clears: [z]}
              - {to: done, else: true}
          b: {collect: [x], edges: [{to: a}, {to: done, when: fine}]}
          c: {collect: [Y], edges: [{to: a}, {to: done, when: fine}]}
          done: {kind: end, outcome: done}
        """
    judge(flow.replace("MARK", "").replace("Y]", "z]"))
    findings = judge(flow.replace("MARK", "  #! TL203").replace("Y]", "x]"))
    assert loops(findings) == [("a", "c", "a")]


FIRST = """
    start: a
    slots: {x: {type: string}}
    nodes:
      a:MARK
        WHAT
      go: {kind: link, flow: second}
      done: {kind: end, outcome: done}
    """
SECOND = """
    start: ret
    slots: {x: {type: string}}
    nodes:
      ret: {kind: link, flow: flow}
    """


def test_flows_that_link_to_each_other(judge) -> None:
    """What the other flow collects is another slot, though it has the same name."""
    silent = "kind: route\n        edges: [{to: done, if: call.minutes > 5}, {to: go, else: true}]"
    flow = FIRST.replace("WHAT", silent)
    files = {"flows/acme/second.yaml": SECOND}
    findings = judge(flow.replace("MARK", "  #! TL203"), files)
    assert loops(findings) == [("a", "go", "ret", "a")]
    asking = FIRST.replace(
        "WHAT", "edges: [{to: go, when: go on}, {to: done, when: fine}]"
    ).replace("MARK", "")
    judge(asking, files)
    collecting = SECOND.replace("start: ret", "start: ask").replace(
        "    nodes:\n", "    nodes:\n      ask: {collect: [x], edges: [{to: ret}]}\n"
    )
    clearing = flow.replace("else: true", "else: true, clears: [x]")
    judge(
        clearing.replace("MARK", "  #! TL203"),
        {
            "flows/acme/second.yaml": collecting.replace(
                "[{to: ret}]", "[{to: ret}, {to: ret, when: go}]"
            )
        },
    )


def test_a_flow_that_links_to_itself(judge) -> None:
    findings = judge(
        """
        start: on
        nodes:
          go: {kind: link, flow: flow}  #! TL203
        """.replace(" on", " go")
    )
    assert loops(findings) == [("go", "go")]


MISTYPED = """
    start: hello
    nodes:
      hello: {edges: [{to: TARGET, when: they agree}, {to: done, when: they go}]}  #! TL103
      checks:
        collect: [name]
        tools: [{id: look_up, with: {name: slots.name}}]
        edges: [{to: ends, if: facts.verified}]
      ends: {edges: [{to: done, when: fine, requires: [verified]}]}
      aside: {edges: [{to: done, when: fine}]}MARK
      done: {kind: end, outcome: done}
    slots: {name: {type: string}}
    """


def test_what_follows_from_an_exit_that_leads_nowhere_is_not_told(judge) -> None:
    """Nothing was found wrong with `checks`, `ends` and the fact: they are what was meant."""
    judge(MISTYPED.replace("TARGET", "cheks").replace("MARK", "  #! TL201"))
    # Where nobody can tell what was meant, it may have been any node.
    judge(MISTYPED.replace("TARGET", "payment").replace("MARK", ""))


def test_a_way_out_that_leads_nowhere_may_have_led_out(judge) -> None:
    text = """
        start: hello
        nodes:
          hello: {edges: [{to: more, when: they agree}, {to: dune, when: they go}]}  #! TL103
          more: {edges: [{to: hello, when: back}]}
          loop: {edges: [{to: loop, when: again}]}  #! TL201 TL202
          done: {kind: end, outcome: done}
        """
    judge(text)


def test_a_slip_on_a_node_that_no_call_comes_to_hides_nothing(judge) -> None:
    judge("""
        start: hello
        nodes:
          hello: {edges: [{to: done, when: they go}]}
          island: {edges: [{to: xyz, when: back}]}  #! TL103 TL201
          other: {edges: [{to: done, when: back}]}  #! TL201
          done: {kind: end, outcome: done}
        """)
