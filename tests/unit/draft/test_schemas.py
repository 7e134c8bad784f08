"""The answer schemas: closed lists, keywords that decoders enforce, and llguidance as the judge."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from llguidance import LLMatcher, LLTokenizer

from trunkline.draft.answer import UnusableError, usable
from trunkline.draft.asking import Asking
from trunkline.draft.assemble import flow_document
from trunkline.draft.compiling import Workbench
from trunkline.draft.drafting import draft
from trunkline.draft.plan_schema import plan_schema
from trunkline.draft.schema_parts import Limits
from trunkline.draft.server import Reply
from trunkline.draft.spelling import spell
from trunkline.draft.step_schema import definitions, step_schema
from trunkline.draft.steps_schema import names_of, steps_schema
from trunkline.draft.vocabulary import Vocabulary, vocabulary
from trunkline.source.reader import read_document

SMALL = Limits(steps=4, data=2, edges=2, tools=2, gaps=1, text=30, expression=20)

# What llguidance, xgrammar and llama.cpp all enforce.
ENFORCED = {
    "$defs",
    "$ref",
    "additionalProperties",
    "anyOf",
    "const",
    "enum",
    "items",
    "maxItems",
    "maxLength",
    "minItems",
    "minLength",
    "pattern",
    "properties",
    "required",
    "type",
}


@pytest.fixture
def bench(repository: Path) -> Workbench:
    return Workbench(repository, "flows/meridian/x.yaml")


@pytest.fixture
def words(bench: Workbench) -> Vocabulary:
    return vocabulary(bench.repository, "meridian", "anything")


def _all(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema inside a schema."""
    yield schema
    for key in ("properties", "$defs"):
        for inner in schema.get(key, {}).values():
            yield from _all(inner)
    for inner in [*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())]:
        yield from _all(inner)


def _judged(schema: Any) -> str:
    """What llguidance says against the schema; nothing if it takes it."""
    grammar = LLMatcher.grammar_from_json_schema(json.dumps(schema))
    return LLMatcher.validate_grammar(grammar, _tokenizer())


def _tokenizer() -> LLTokenizer:
    return LLTokenizer("byte")


@pytest.fixture
def schemas(words: Vocabulary, plan: Any) -> dict[str, Any]:
    names = names_of(plan, words)
    defined = {"$defs": definitions(words, names, Limits())}
    kinds = ("talk", "confirm", "route", "transfer", "end")
    return {
        "plan": plan_schema(words, Limits()),
        "steps": steps_schema(plan, words, Limits()),
        **{kind: {**step_schema(kind, words, names, Limits()), **defined} for kind in kinds},
    }


def test_llguidance_takes_every_schema(schemas: dict[str, Any]) -> None:
    assert {name: _judged(schema) for name, schema in schemas.items()} == dict.fromkeys(schemas, "")
    # The judge does say no where it should.
    assert _judged({"type": "array", "items": {"type": "string"}, "uniqueItems": True}) != ""


def test_only_keywords_that_every_decoder_enforces(schemas: dict[str, Any]) -> None:
    for schema in schemas.values():
        for inner in _all(schema):
            assert inner.keys() <= ENFORCED
            if inner.get("type") == "object":
                assert inner["additionalProperties"] is False
                assert inner["required"] == list(inner["properties"])
            assert inner.get("enum", ["one"]), "an empty list can be met by nothing"


def test_a_tool_is_named_and_never_described(schemas: dict[str, Any], words: Vocabulary) -> None:
    assert schemas["plan"]["properties"]["tools"]["items"]["enum"] == [e.id for e in words.tools]
    for choice in schemas["steps"]["$defs"]["tool"]["anyOf"]:
        assert choice["properties"].keys() <= {"id", "with", "sets"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda s: s["steps"]["verify"]["tools"][0].update(id="wipe_disk"), "steps.verify.tools"),
        (lambda s: s["steps"]["verify"]["edges"][0].update(to="nowhere"), "'nowhere' is not one"),
        (lambda s: s["steps"]["human"].update(number="+12025550199"), "steps.human.number"),
        (lambda s: s["steps"]["goodbye"].update(outcome="rich"), "'rich' is not one of"),
        (lambda s: s["steps"]["verify"].update(collect=["iban"]), "'iban' is not one of"),
        (lambda s: s.update(policy={}), "Additional properties"),
    ],
)
def test_what_is_invented_is_refused(
    schemas: dict[str, Any], steps: Any, change: Any, told: str
) -> None:
    assert usable(json.dumps(steps), schemas["steps"]) == steps
    change(steps)
    with pytest.raises(UnusableError) as refused:
        usable(json.dumps(steps), schemas["steps"])
    assert told in str(refused.value)


class _Decoder:
    """Answers like the most careless model that a constrained decoder has ever held: at random."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def ask(self, _: Any, __: str, schema: Any, ___: int) -> Reply:
        return Reply(_sampled(schema, self.random), False, 0, 0, 0.0)


def _sampled(schema: Any, chance: random.Random) -> str:
    tokenizer = _tokenizer()
    grammar = LLMatcher.grammar_from_json_schema(
        json.dumps(schema), overrides={"whitespace_flexible": False}
    )
    matcher = LLMatcher(tokenizer, grammar)
    said = bytearray()
    while not matcher.is_stopped():
        forced = matcher.compute_ff_tokens()
        if not forced:
            mask = matcher.compute_bitmask()
            allowed = [i for i in range(256) if mask[i // 8] >> (i % 8) & 1]
            # Letters and what closes: random bytes of UTF-8 would say nothing more.
            plain = [i for i in allowed if 32 <= i < 127 and i != 92]
            ending = [i for i in plain if chr(i) in '"]']
            if not allowed:
                break
            chosen = ending if ending and chance.random() < 0.3 else plain or allowed
            forced = [chance.choice(chosen)]
        for token in forced:
            assert matcher.consume_token(token)
            if token < 256:
                said.append(token)
    assert matcher.get_error() == ""
    return said.decode("utf-8")


def test_whatever_fits_becomes_a_file_that_can_be_read(words: Vocabulary) -> None:
    for seed in range(25):
        asking = Asking(_Decoder(seed))
        plan = asking.ask([], "plan", plan_schema(words, SMALL))
        steps = asking.ask([], "steps", steps_schema(plan, words, SMALL))
        assert asking.spent.requests == 2  # no answer had to be asked for again
        document = flow_document("x", plan, steps, words)
        read, findings = read_document("x.yaml", "flow", spell(document).encode())
        assert findings == []
        assert read is not None
        assert read.data == document


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_fits_can_be_compiled_and_invents_nothing(
    bench: Workbench, words: Vocabulary, seed: int
) -> None:
    drafted = draft("x", "anything", words, bench, Asking(_Decoder(seed)), 0, SMALL)
    codes = {each.code for each in drafted.proposal.errors}
    assert codes.isdisjoint({"TL301", "TL302"})
    assert not any(code.startswith("TL0") for code in codes)
