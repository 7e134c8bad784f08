"""The contract of a job: what is taken, what is refused in which words, what docs/jobs.md says."""

import json
import re
from pathlib import Path

import pytest

from trunkline_runtime.worker.job import BadJob, Job, read_job, tenant_in

TOP = Path(__file__).parents[3]


def test_nothing_and_everything() -> None:
    assert read_job("") is None
    assert read_job("  \n") is None
    whole = {
        "version": 1,
        "tenant": "acme",
        "flow": "remind",
        "channel": "canary",
        "call_id": "inv-17:1",
        "number": "+12025550143",
        "inputs": {"account_id": "A-1001"},
        "consents": ["prior_express_consent"],
        "address": {"country": "US", "region": "US-DC"},
        "subject": "A-1001",
        "trunk": "ST_2",
        "caller_number": "+12025550100",
        "ring_seconds": 20,
        "fallback": "support",
    }
    job = read_job(json.dumps(whole))
    assert job is not None
    assert job.consents == {"prior_express_consent"}
    assert {**vars(job), "consents": ["prior_express_consent"]} == {
        **{name: value for name, value in whole.items() if name != "version"},
        "answered_by": None,
    }
    assert "0143" not in repr(job)
    assert read_job('{"version": 1, "tenant": "acme"}') == Job("acme")


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("x", "is no JSON object"),
        ("[" * 100_000, "longer than"),
        ("[" * 60_000, "is no JSON object"),
        ("[]", "must be of the type object"),
        ('{"tenant": "acme"}', "lacks 'version'"),
        ('{"version": 2, "tenant": "acme"}', "a wrong 'version': it must be 1"),
        ('{"version": 1, "tenant": "acme", "tenant": "birch"}', "says 'tenant' twice"),
        ('{"version": 1, "tenant": "acme", "nmber": "x"}', "not known: 'nmber'"),
        ('{"version": 1, "tenant": "acme", "number": "2025550143"}', "written with + and country"),
        ('{"version": 1, "tenant": "Acme"}', "a wrong 'tenant'"),
        ('{"version": 1, "tenant": "acme", "address": {}}', "'address': lacks 'country'"),
        ('{"version": 1, "tenant": "acme", "ring_seconds": 1}', "a wrong 'ring_seconds'"),
        (
            '{"version": 1, "tenant": "acme", "call_id": "a-2025550143"}',
            "looks like a phone number",
        ),
        ('{"version": 1, "tenant": "acme", "call_id": "x5550143"}', "looks like a phone number"),
        ('{"version": 1, "tenant": "acme", "answered_by": "busy"}', "a wrong 'answered_by'"),
    ],
)
def test_a_bad_job_is_refused_in_words_that_repeat_no_value(metadata: str, said: str) -> None:
    with pytest.raises(BadJob) as refused:
        read_job(metadata)
    assert said in str(refused.value)
    assert "2025550143" not in str(refused.value)


WRONG = (None, True, 7, -1, 1.5, "", " ", "a/b", "x" * 300, [], [7], ["a", "a"], {}, {"a": 1})
# For each member, which of the wrong values are right ones; `inputs` are the flow's to judge.
RIGHT: dict[str, tuple[object, ...]] = {
    "flow": (" ", "a/b"),
    "channel": (" ", "a/b"),
    "inputs": ({}, {"a": 1}),
    "consents": ([],),
    "subject": (" ", "a/b"),
    "trunk": (" ", "a/b"),
    "ring_seconds": (7,),
    "fallback": (" ", "a/b"),
}


def test_each_member_is_looked_at() -> None:
    schema = json.loads((TOP / "schemas" / "job.schema.json").read_text(encoding="utf-8"))
    for name in schema["properties"]:
        for value in WRONG:
            job = {"version": 1, "tenant": "acme", name: value}
            # in JSON true is no 1 and 1.0 is one; Python's own `in` says otherwise
            if any(type(value) is type(right) and value == right for right in RIGHT.get(name, ())):
                assert read_job(json.dumps(job)) is not None, (name, value)
                continue
            with pytest.raises(BadJob) as refused:
                read_job(json.dumps(job))
            assert repr(name)[:-1] in str(refused.value), (name, value)
            assert "x" * 50 not in str(refused.value)


@pytest.mark.parametrize("name", ["tenant", "number", "call_id", "caller_number"])
def test_a_line_s_end_is_no_part_of_a_name(name: str) -> None:
    """Python's `$` holds before it; a number with it would be dialled."""
    right = {"tenant": "acme", "call_id": "call-1"}.get(name, "+12025550143")
    job = {"version": 1, "tenant": "acme", name: right}
    assert read_job(json.dumps(job)) is not None
    with pytest.raises(BadJob):
        read_job(json.dumps({**job, name: f"{right}\n"}))


@pytest.mark.parametrize(
    "value", ["NaN", "-Infinity", "1e999", "123456789012345678901", '"\\ud83d"']
)
def test_what_no_record_could_hold_is_no_job(value: str) -> None:
    with pytest.raises(BadJob, match="a number that is none or is too large"):
        read_job(f'{{"version": 1, "tenant": "acme", "inputs": {{"account": {value}}}}}')


@pytest.mark.parametrize(
    "call_id", ["invoice-2026-1184-1", "550143", "12345678-1234-4234-8234-123456789012"]
)
def test_a_call_id_that_is_no_number_is_taken(call_id: str) -> None:
    job = read_job(json.dumps({"version": 1, "tenant": "acme", "call_id": call_id}))
    assert job is not None
    assert job.call_id == call_id


def test_a_bad_job_still_tells_whose_it_is() -> None:
    assert tenant_in('{"version": 9, "tenant": "acme"}') == ("acme", "fallback")
    assert tenant_in('{"tenant": 7, "fallback": "support"}') == (None, "support")
    assert tenant_in("[1]") == (None, "fallback")
    assert tenant_in("x") == (None, "fallback")
    assert tenant_in('{"tenant": "+12025550143"}') == (None, "fallback")
    assert tenant_in('{"tenant": "acme\\n"}') == (None, "fallback")


def test_every_example_of_the_page_is_a_job() -> None:
    page = (TOP / "docs" / "jobs.md").read_text(encoding="utf-8")
    examples = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 3
    for example in examples:
        assert read_job(example) is not None
    schema = json.loads((TOP / "schemas" / "job.schema.json").read_text(encoding="utf-8"))
    for name in schema["properties"]:
        assert f"`{name}`" in page, f"docs/jobs.md does not say what {name} is"
