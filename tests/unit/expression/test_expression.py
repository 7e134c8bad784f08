"""Conditions hold only for the boolean true, and name exactly what they read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trunkline_runtime.expression import (
    EvaluationError,
    ExpressionError,
    Unset,
    compile_expression,
    schema_names,
    type_of_declaration,
)
from trunkline_runtime.expression.lexer import ExpressionSyntax, tokens

DECLARED = {
    "slots.amount_due": type_of_declaration("number"),
    "slots.name": type_of_declaration("string"),
    "facts.verified": type_of_declaration("boolean"),
    "facts.paid": type_of_declaration("boolean"),
    "call.visits": type_of_declaration("integer"),
}
VALUES = {"slots.amount_due": 3, "slots.name": "x", "facts.verified": True, "facts.paid": False}


@pytest.mark.parametrize(
    ("text", "names", "proven"),
    [
        ("facts.verified", {"facts.verified"}, {"verified"}),
        ("facts . verified", {"facts.verified"}, {"verified"}),
        ("facts.verified // && facts.paid", {"facts.verified"}, {"verified"}),
        ("((facts.verified))", {"facts.verified"}, {"verified"}),
        (
            "facts.verified && (facts.paid && slots.amount_due > 0.0)",
            {"facts.verified", "facts.paid", "slots.amount_due"},
            {"verified", "paid"},
        ),
        ("facts.verified || facts.paid", {"facts.verified", "facts.paid"}, set()),
        ("facts.verified && facts.paid || true", {"facts.verified", "facts.paid"}, set()),
        ("true ? facts.verified && facts.paid : true", {"facts.verified", "facts.paid"}, set()),
        ("!facts.verified", {"facts.verified"}, set()),
        ("facts.verified == false", {"facts.verified"}, set()),
        ("slots.name == 'facts.verified && '", {"slots.name"}, set()),
        ('slots.name == "a\\"b" && facts.paid', {"slots.name", "facts.paid"}, {"paid"}),
        ("slots.name == r'\\d' && facts.paid", {"slots.name", "facts.paid"}, {"paid"}),
        ("slots.name.size() > 2", {"slots.name"}, set()),
    ],
)
def test_names_and_conjunct_facts(text: str, names: set[str], proven: set[str]) -> None:
    expression = compile_expression(text, DECLARED)
    assert expression.names == names
    assert expression.conjunct_facts == proven


@pytest.mark.parametrize(
    ("text", "values", "holds"),
    [
        ("slots.amount_due > 0.0", VALUES, True),
        ("slots.amount_due > 0.0", {}, False),
        ("!(slots.amount_due > 0.0)", {}, False),
        ("facts.verified || slots.amount_due > 0.0", {"facts.verified": True}, False),
        ("facts.verified", {"facts.verified": 1}, False),
        ("facts.verified", {"facts.verified": "yes"}, False),
        ("1 / call.visits > 0", {"call.visits": 0}, False),
        ("slots.name.matches('(')", {"slots.name": "x"}, False),
    ],
)
def test_only_the_boolean_true_holds(text: str, values: dict[str, object], holds: bool) -> None:
    assert compile_expression(text, DECLARED).holds(values) is holds


def test_a_value_says_what_is_unset_and_what_failed() -> None:
    with pytest.raises(Unset) as unset:
        compile_expression("slots.name + 'x'", DECLARED).value({})
    assert unset.value.name == "slots.name"
    with pytest.raises(EvaluationError):
        compile_expression("1 / call.visits", DECLARED).value({"call.visits": 0})
    assert compile_expression("slots.amount_due * 2.0", DECLARED).value(VALUES) == 6.0


@pytest.mark.parametrize(
    ("text", "column", "help"),
    [
        ("slots.amount_due > 0", 18, "write `0.0` instead of `0`"),
        ("true && slots.amount > 1.0", 9, "did you mean `slots.amount_due`?"),
        ("facts.paid > 3", 12, "write `facts.x` or `!facts.x`"),
        ("slots.name +", 13, ""),
        ("slots.name # x", 12, ""),
        ("has(slots.name)", 1, "requires: [slots.amount_due]"),
        (".facts.verified", 1, "without the dot"),
        ("facts.paid && ( .facts.verified)", 17, "without the dot"),
        ("slots.name in .slots.name", 15, "without the dot"),
        ("slots", 1, ""),
        ("", 1, ""),
    ],
)
def test_errors_have_a_column_and_help(text: str, column: int, help: str) -> None:
    with pytest.raises(ExpressionError) as error:
        compile_expression(text, DECLARED)
    assert error.value.column == column
    assert help in error.value.help
    assert "INVALID_ARGUMENT" not in error.value.message


@given(st.text())
def test_any_text_compiles_or_is_an_expression_error(text: str) -> None:
    try:
        compile_expression(text, DECLARED)
    except ExpressionError as error:
        assert 1 <= error.column <= len(text) + 1


@given(st.text(alphabet="ab.(\"'\\|& /\n?"))
def test_tokens_cover_the_text(text: str) -> None:
    try:
        scanned = tokens(text)
    except ExpressionSyntax as error:
        assert 1 <= error.column <= len(text)
    else:
        assert all(text[token.start :].startswith(token.text) for token in scanned)


def test_a_result_schema_is_named_leaf_by_leaf() -> None:
    schema = {
        "type": "object",
        "properties": {
            "match": {"type": "string"},
            "account": {"type": "object", "properties": {"id": {"type": "integer"}}},
            "openings": {"type": "array", "items": {"type": "string"}},
        },
    }
    names = {name: kind.name() for name, kind in schema_names("result", schema)}
    assert names == {
        "result.match": "STRING",
        "result.account.id": "INT",
        "result.openings": "LIST<STRING>",
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("slots.name == '" + "x" * 5000 + "'", "4000 characters at most"),
        ("(" * 33 + "true" + ")" * 33, "32 brackets inside each other at most"),
        ("(facts.paid && " * 200 + "true" + ")" * 200, "32 brackets inside each other"),
        ("[" * 1900 + "]" * 1900, "32 brackets inside each other at most"),
    ],
)
def test_what_nobody_reads_is_refused_before_it_costs_anything(text: str, words: str) -> None:
    with pytest.raises(ExpressionError, match=words):
        compile_expression(text, DECLARED)
    with pytest.raises(ExpressionSyntax, match=words):
        tokens(text)


def test_a_sum_that_the_library_finds_too_deep() -> None:
    with pytest.raises(ExpressionError, match="32 parts inside each other at most"):
        compile_expression("1" + " + 1" * 100 + " > 3", DECLARED)


def test_the_deepest_brackets_are_those_of_the_library() -> None:
    deepest = compile_expression("(" * 32 + "facts.paid" + ")" * 32, DECLARED)
    assert deepest.conjunct_facts == {"paid"}
    joined = compile_expression("(facts.paid && " * 30 + "facts.verified" + ")" * 30, DECLARED)
    assert joined.conjunct_facts == {"paid", "verified"}


def test_an_evaluation_that_takes_for_ever_fails() -> None:
    numbers, rounds = "[1,2,3,4,5,6,7,8,9,0]", 9
    bomb = f"{numbers}.map(a," * rounds + "1" + ")" * rounds
    expression = compile_expression(f"{bomb} == []", DECLARED)
    assert not expression.holds({})
    with pytest.raises(EvaluationError):
        expression.value({})
