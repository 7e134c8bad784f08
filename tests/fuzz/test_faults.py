"""Mutants of flows: what a fault breaks gives a finding, and what passes is as sound as before."""

from random import Random

from faults import Fault
from files_tree import compiled
from grammar import make_flow
from share import SHIPPED, share_of_generated, share_of_shipped
from walk import Broken, Walk
from walks import KEY, walks_over

from trunkline.table.flow import table_of

# What leaves a name without its meaning, or a payment without its proof, is always found.
ALWAYS = ("retarget to nowhere", "remove a requires", "rename a slot", "rename a use of a slot")
SEEDS = 110


def test_faults_of_the_shipped_flows_are_found() -> None:
    share = share_of_shipped(SHIPPED[:2], keep=0.25)
    assert {kind: share.of(kind) for kind in ALWAYS} == dict.fromkeys(ALWAYS, 1.0), share.table()
    assert share.of("grant a tool") >= 0.5, share.table()
    assert share.of("retarget an edge") >= 0.5, share.table()
    assert share.all >= 0.65, share.table()


def test_what_passes_is_as_sound_as_before() -> None:
    share = share_of_generated(3)
    for kind in ("retarget to nowhere", "rename a use of a slot"):
        assert share.of(kind) == 1.0, share.table()
    chosen = Random(2).sample(share.escaped, 40)
    for number, fault in enumerate(chosen):
        _walks(fault, number)


def _walks(fault: Fault, seed: int) -> None:
    found = compiled(fault.flow)
    assert KEY in found.tables, fault
    walks_over(found, seed, 8)


def test_a_walk_meets_what_the_proof_warns_of() -> None:
    """The walk itself is no toy: of flows that are refused for an unproven payment it makes many.

    The rest are ways that no call can take: the proof does not look into conditions.
    """
    refused = met = 0
    for seed in range(SEEDS):
        found = compiled(make_flow(seed, 2 + seed % 7))
        if {each.code for each in found.findings if each.severity == "error"} != {"TL401"}:
            continue
        refused += 1
        analysis = found.analyses[KEY]
        table = table_of(analysis.inlined, found.entries)
        known = analysis.catalogue.fact_names
        for number in range(60):
            walk = Walk(table, found.entries, analysis.required_facts, Random(number), known)
            try:
                walk.run()
            except Broken as broken:
                assert "starts on" in str(broken)
                met += 1
                break
    assert refused >= 10
    assert met / refused >= 0.35, f"{met} of {refused}"
