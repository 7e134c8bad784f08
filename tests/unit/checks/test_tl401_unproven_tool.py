"""TL401: every way to a payment that skips the proof is found, and no other."""

import pytest

# An account holder is verified on `ask`, and `pay` charges them.
SAFE = """
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
          - {to: pay, when: it is them, requires: [verified]}
          - {to: done, when: it is somebody else}
      pay:
        tools: [charge]
        edges:
          - {to: done, if: facts.paid}
          - {to: ask, when: a detail was wrong}
      done: {kind: end, outcome: done}
    """
CHARGED = SAFE.replace("tools: [charge]", "tools: [charge]  #! TL401")


def trace(findings):
    (finding,) = [each for each in findings if each.code == "TL401"]
    return finding.trace


def test_a_proof_on_every_path_passes(judge) -> None:
    assert judge(SAFE) == []


def test_an_exit_without_requires(judge) -> None:
    findings = judge(CHARGED.replace(", requires: [verified]", ""))
    assert trace(findings) == ("hello", "ask", "pay")
    assert findings[0].message == (
        "`charge` (it takes a payment) may run here only once `verified` is proven, and a call can "
        "come here without it"
    )
    assert findings[0].help == "Add `requires: [verified]` to the exit that leads to `pay`."


def test_a_condition_proves_only_what_it_needs_as_a_whole(judge) -> None:
    proven = SAFE.replace("requires: [verified]", "if: facts.verified && call.visits < 3")
    judge(proven)
    for condition in ("facts.verified || true", "!facts.verified", "facts.verified == true"):
        flow = CHARGED.replace("requires: [verified]", f"if: '{condition}'")
        assert trace(judge(flow)) == ("hello", "ask", "pay")


@pytest.mark.parametrize(
    ("opened", "by"),
    [
        ("anywhere: [{to: pay, when: they want to pay}]", "`anywhere`"),
        ('keys: {"5": pay}', "`key`"),
        ("silence: {to: pay}", "`silence`"),
        ("limits: {to: pay}", "`limits`"),
        ("error: pay", "`error`"),
    ],
)
def test_a_way_that_the_flow_opens_everywhere(judge, opened: str, by: str) -> None:
    # A silence or limit of `pay` that leads to `pay` itself is a loop without the caller, too.
    loops = opened.startswith(("silence", "limits"))
    flow = CHARGED.replace("start: hello\n", f"start: hello\n    {opened}\n")
    if loops:
        flow = flow.replace("      pay:\n", "      pay:  #! TL203\n")
    findings = judge(flow)
    assert trace(findings) == ("hello", "pay")
    (finding,) = [each for each in findings if each.code == "TL401"]
    assert by.strip("`") in finding.help


def test_what_answered_can_begin_on_the_payment(judge) -> None:
    findings = judge(CHARGED.replace("start: hello\n", "start: hello\n    answer: {human: pay}\n"))
    assert trace(findings) == ("pay",)


def test_a_nodes_own_key_silence_and_limit(judge) -> None:
    for opened in ('keys: {"5": pay}', "silence: {to: pay}"):
        flow = CHARGED.replace("      hello:\n", f"      hello:\n        {opened}\n")
        assert trace(judge(flow)) == ("hello", "pay")
    # The limit of `ask` takes the call to the payment before `ask` is entered.
    flow = CHARGED.replace("      ask:\n", "      ask:\n        limits: {max_visits: 1, to: pay}\n")
    looping = flow.replace("      pay:\n", "      pay:  #! TL203\n")
    assert trace(judge(looping)) == ("hello", "pay")


def test_a_failed_transfer(judge) -> None:
    flow = CHARGED.replace(
        "{to: done, when: they are finished}", "{to: human, when: they ask for a human}"
    ).replace(
        "      done:",
        "      human: {kind: transfer, number: support, on_failure: pay}\n      done:",
    )
    assert trace(judge(flow)) == ("hello", "human", "pay")


def test_a_failed_transfer_to_a_node_that_is_over_its_limit(judge) -> None:
    findings = judge("""
        start: ask
        slots:
          code: {type: string}
        nodes:
          ask:
            collect: [code]
            tools: [{id: look_up, with: {code: slots.code}}]
            edges:
              - {to: human, when: it is them, requires: [verified], clears: [code]}
              - {to: done, when: it is somebody else}
          human: {kind: transfer, number: support, on_failure: menu}
          menu:
            limits: {max_visits: 2, to: pay}
            edges:
              - {to: human, when: they want to try again}
              - {to: done, when: they have had enough}
          pay:
            tools: [charge]  #! TL401
            edges:
              - {to: done, if: facts.paid}
              - {to: done, when: they will not pay}
          done: {kind: end, outcome: done}
        """)
    assert trace(findings) == ("ask", "human", "pay")


def test_the_tool_that_proves_may_revoke_on_its_own_node(judge) -> None:
    flow = SAFE.replace(
        "tools: [charge]", "tools:\n          - charge  #! TL401\n          - forget"
    )
    findings = judge(
        flow.replace(
            "collect: [name, code]\n", "instructions: forget\n        collect: [name, code]\n"
        ).replace("      pay:\n", "      pay:\n        instructions: Charge, then forget.\n")
    )
    assert trace(findings) == ("hello", "ask", "pay")
    assert findings[0].message.endswith("and this node itself can end it")


def test_a_fact_that_is_revoked_on_the_way(judge) -> None:
    flow = CHARGED.replace(
        "{to: pay, when: it is them, requires: [verified]}",
        "{to: again, when: it is them, requires: [verified]}",
    ).replace(
        "      pay:\n",
        """
      again:
        instructions: forget it
        tools: [forget]
        edges:
          - {to: pay, when: they want to pay}
      pay:
    """.strip("\n").rstrip()
        + "\n",
    )
    assert trace(judge(flow)) == ("hello", "ask", "again", "pay")


def test_a_slot_that_the_proof_rests_on_is_collected_on_the_paying_node(judge) -> None:
    flow = CHARGED.replace("      pay:\n", "      pay:\n        collect: [code]\n")
    assert trace(judge(flow)) == ("hello", "ask", "pay")


def test_a_slot_that_the_proof_rests_on_is_set_by_a_tool_of_the_paying_node(judge) -> None:
    """Nobody said that code: the proof is of somebody else, so the look-up still counts as one."""
    flow = SAFE.replace(
        "tools: [charge]",
        "tools:\n          - charge  #! TL401\n"
        "          - {id: fetch, sets: {code: 'result.days[0]'}}",
    )
    assert trace(judge(flow)) == ("hello", "ask", "pay")


def test_a_corrected_name_ends_the_proof(judge) -> None:
    """`fix` collects a slot that the proof rests on; the way back to `pay` does not prove anew."""
    flow = CHARGED.replace(
        "          - {to: ask, when: a detail was wrong}\n",
        """
          - {to: fix, when: the name was wrong, correction: true, clears: [name]}
      fix:
        collect: [name]
        edges:
          - {to: pay}
    """.strip("\n").rstrip()
        + "\n",
    )
    assert trace(judge(flow)) == ("hello", "ask", "pay", "fix", "pay")


def test_an_exit_cannot_prove_what_it_clears(judge) -> None:
    """Requires is checked first and the clearing comes with the move, so nothing is left of it."""
    flow = CHARGED.replace("requires: [verified]}", "requires: [verified], clears: [code]}")
    assert trace(judge(flow)) == ("hello", "ask", "pay")


def test_clearing_a_slot_that_no_proof_rests_on_changes_nothing(judge) -> None:
    flow = SAFE.replace(
        "      code: {type: string}\n", "      code: {type: string}\n      x: {type: string}\n"
    )
    judge(flow.replace("requires: [verified]}", "requires: [verified], clears: [x]}"))


def test_an_aside_returns_what_was_known_where_it_was_entered(judge) -> None:
    """Entered from `pay` it returns to `pay`, with the proof; from `hello` to `hello`, without."""
    flow = SAFE.replace(
        "start: hello\n", "start: hello\n    anywhere: [{to: hours, when: they ask when}]\n"
    ).replace(
        "      done:", "      hours: {return: true, instructions: From nine to five.}\n      done:"
    )
    judge(flow)
    revoking = flow.replace("tools: [charge]", "tools: [charge]  #! TL401").replace(
        "instructions: From nine to five.", "instructions: forget, tools: [forget]"
    )
    assert trace(judge(revoking)) == ("hello", "ask", "pay", "hours", "pay")


def test_a_payment_on_an_aside_is_held_to_every_node_that_it_is_entered_from(judge) -> None:
    flow = SAFE.replace(
        "start: hello\n", "start: hello\n    anywhere: [{to: tip, when: they want to tip}]\n"
    ).replace(
        "      done:",
        "      tip:\n        return: true\n        tools: [charge]  #! TL401\n      done:",
    )
    assert trace(judge(flow)) == ("hello", "tip")


def test_after_call_takes_no_payment(judge) -> None:
    flow = SAFE.replace(
        "    nodes:\n", "    after_call:\n      - {id: charge}  #! TL401\n    nodes:\n"
    )
    (finding,) = judge(flow)
    assert finding.trace == ()
    assert "cannot run once the call is over" in finding.message


def test_after_call_needs_what_a_caller_who_hangs_up_at_once_has_not_proven(judge) -> None:
    requirements = """
        schema_version: 1
        requirements:
          - {id: a, level: mandatory, effect: contact, facts: [verified], source: s,
             verified: "2026-11-29", effective_from: "2026-01-01"}
        """
    tenant = """
        schema_version: 1
        id: acme
        display_name: Acme
        timezone: America/New_York
        connections: {crm: {}, billing: {}, mail: {}}
        """
    flow = SAFE.replace("    nodes:\n", "    after_call:\n      - post  #! TL401\n    nodes:\n")
    files = {"policy/requirements.yaml": requirements, "flows/acme/tenant.yaml": tenant}
    assert trace(judge(flow, files)) == ("hello",)


def test_a_tenant_may_require_more(judge) -> None:
    tenant = """
        schema_version: 1
        id: acme
        display_name: Acme
        timezone: America/New_York
        connections: {crm: {}, billing: {}}
        policy:
          requirements:
            - {id: yes, effect: payment, facts: [agreed]}
        """.replace("id: yes", 'id: "agree"')
    assert trace(judge(CHARGED, {"flows/acme/tenant.yaml": tenant})) == ("hello", "ask", "pay")


def test_without_a_policy_nothing_is_required(judge) -> None:
    judge(SAFE.replace(", requires: [verified]", ""), {"policy/requirements.yaml": None})


def test_of_equally_short_paths_the_first_in_the_file_is_told(judge) -> None:
    flow = """
        start: hello
        nodes:
          hello:
            edges:
              - {to: second, when: they want the second}
              - {to: first, when: they want the first}
          first:
            edges:
              - {to: pay, when: they want to pay}
              - {to: hello, when: they go back}
          second:
            edges:
              - {to: hello, when: they go back}
              - {to: pay, when: they want to pay}
          pay:
            instructions: charge
            tools: [charge]  #! TL401
            edges:
              - {to: done, when: they have paid}
              - {to: hello, when: they go back}
          done: {kind: end, outcome: done}
        """
    assert trace(judge(flow)) == ("hello", "second", "pay")
    anywhere = flow.replace(
        "start: hello\n", "start: hello\n        anywhere: [{to: first, when: they insist}]\n"
    )
    assert trace(judge(anywhere)) == ("hello", "first", "pay")


def test_a_payment_that_no_path_reaches_is_not_held_to_anything(judge) -> None:
    flow = CHARGED.replace("tools: [charge]  #! TL401", "tools: [charge]").replace(
        "          - {to: pay, when: it is them, requires: [verified]}\n", ""
    )
    judge(flow.replace("      pay:\n", "      pay:  #! TL201\n"))


def test_silence_after_a_question_that_wants_a_yes(judge) -> None:
    """The caller who says nothing to a confirm node goes where the flow's silence leads."""
    flow = CHARGED.replace("start: hello\n", "start: sure\n    silence: {to: pay}\n").replace(
        "      hello:\n",
        "      sure: {kind: confirm, say: Are you there?, on_yes: hello, on_no: done, "
        "on_unclear: done}\n      hello:\n        silence: {to: done}\n",
    )
    flow = flow.replace("      ask:\n", "      ask:\n        silence: {to: done}\n")
    flow = flow.replace("      pay:\n", "      pay:\n        silence: {to: done}\n")
    assert trace(judge(flow)) == ("sure", "pay")


LINKED = """
    start: hello
    slots:
      name: {type: string}
      code: {type: string}
    nodes:
      hello:
        limits: {max_visits: 1, to: pay}
        edges:
          - {to: ask, when: they want to pay}
          - {to: done, when: they are finished}
      ask:
        collect: [name, code]
        tools:
          - {id: look_up, with: {name: slots.name, code: slots.code}}
        edges:
          - {to: pay, when: it is them, requires: [verified]}
          - {to: again, when: it is somebody else}
      again: {kind: link, flow: flow}
      pay:
        tools: [charge]  #! TL401
        edges:
          - {to: done, if: facts.paid}
          - {to: done, when: they change their mind}
      done: {kind: end, outcome: done}
    """


def test_a_link_back_to_a_start_that_is_over_its_limit(judge) -> None:
    assert trace(judge(LINKED)) == ("pay",)
    flow = LINKED.replace("        limits: {max_visits: 1, to: pay}\n", "")
    # Wherever a limit sends the call, one that is over its own is a loop without the caller.
    flow = flow.replace("start:", "limits: {max_visits: 1, to: pay}\n    start:")
    assert trace(judge(flow.replace("      pay:\n", "      pay:  #! TL203\n"))) == ("pay",)
    judge(
        LINKED.replace("  #! TL401", "").replace(
            "kind: link, flow: flow", "kind: end, outcome: done"
        )
    )


def test_a_limit_keeps_what_the_refused_exit_required(judge) -> None:
    flow = SAFE.replace("{to: pay, when: it is them", "{to: menu, when: it is them").replace(
        "      pay:\n",
        "      menu:\n        limits: {max_visits: 2, to: pay}\n        edges:\n"
        "          - {to: pay, when: they pay, requires: [verified]}\n"
        "          - {to: menu, when: they wonder, requires: [verified]}\n"
        "          - {to: done, when: they go}\n      pay:\n",
    )
    judge(flow)
    findings = judge(
        flow.replace(
            "{to: menu, when: it is them, requires: [verified]}", "{to: menu, when: ok}"
        ).replace("[charge]", "[charge]  #! TL401")
    )
    assert trace(findings) == ("hello", "ask", "pay")


def helper(*tools: str) -> dict[str, str]:
    """A catalogue entry whose subagent may use these tools."""
    return {
        "catalog/tools/crm/helper.yaml": f"""
        schema_version: 1
        id: helper
        description: Works it out.
        parameters: {{type: object, additionalProperties: false, properties: {{}}}}
        result: {{type: object, properties: {{}}}}
        effects: []
        run: {{subagent: {{instructions: Work it out., tools: [{", ".join(tools)}]}}}}
        """
    }


def test_a_subagent_does_what_its_tools_do(judge) -> None:
    more = helper("charge")
    findings = judge(
        SAFE.replace("      hello:\n", "      hello:\n        tools: [helper]  #! TL401\n"), more
    )
    assert findings[0].message.startswith("`helper` (it uses `charge`: it takes a payment) may run")
    after = SAFE.replace("    nodes:", "    after_call: [helper]  #! TL401\n    nodes:")
    assert "`charge`: it takes a payment) cannot run" in judge(after, more)[0].message
    # A helper that has a helper.
    nested = {
        "catalog/tools/crm/asker.yaml": helper("helper")["catalog/tools/crm/helper.yaml"].replace(
            "id: helper", "id: asker"
        )
    }
    judge(after.replace("[helper]", "[asker]"), {**more, **nested})


def test_a_subagent_revokes_what_its_tools_revoke(judge) -> None:
    flow = SAFE.replace("{to: pay, when: it is them", "{to: menu, when: it is them").replace(
        "      pay:\n",
        "      menu:\n        tools: [TOOL]\n        edges:\n"
        "          - {to: pay, when: they pay}\n"
        "          - {to: done, when: they go}\n      pay:\n",
    )
    judge(flow.replace("TOOL", "fetch"))
    forgets = flow.replace("TOOL", "helper").replace("[charge]", "[charge]  #! TL401")
    assert trace(judge(forgets, helper("fetch", "forget"))) == ("hello", "ask", "menu", "pay")


@pytest.mark.parametrize(
    ("target", "expires", "waived"),
    [
        ("{tenant: acme, flow: flow, tool: charge}", "2027-01-31", True),
        ("{tenant: acme, flow: flow, node: pay}", "2027-01-31", True),
        ("{tenant: acme, flow: flow, node: ask}", "2027-01-31", False),
        ("{tenant: acme, flow: flow, tool: charge}", "2026-11-28", False),
    ],
)
def test_an_exception_waives_an_overridable_rule_where_it_says_and_while_it_lasts(
    judge, monkeypatch: pytest.MonkeyPatch, target: str, expires: str, waived: bool
) -> None:
    monkeypatch.setenv("TRUNKLINE_TODAY", "2026-11-29")
    requirements = """
        schema_version: 1
        requirements:
          - id: verify-before-payment
            level: overridable
            effect: payment
            facts: [verified]
            source: company policy
            verified: "2026-11-29"
            effective_from: "2026-01-01"
        """
    exceptions = f"""
        schema_version: 1
        exceptions:
          - rule: verify-before-payment
            target: {target}
            reason: The meter shows who it is.
            owner: o@acme.example
            approver: c@acme.example
            created: "2026-11-01"
            expires: "{expires}"
        """
    files = {"policy/requirements.yaml": requirements, "policy/exceptions.yaml": exceptions}
    flow = (SAFE if waived else CHARGED).replace(", requires: [verified]", "")
    judge(flow, files)
    if not waived:
        return
    # A mandatory one is waived by nothing, and an exception that says so is a fault itself.
    mandatory = {
        **files,
        "policy/requirements.yaml": requirements.replace("overridable", "mandatory"),
    }
    told = {
        **mandatory,
        "policy/exceptions.yaml": exceptions.replace("payment\n", "payment  #! TL503\n"),
    }
    judge(CHARGED.replace(", requires: [verified]", ""), told)
