"""Conditions and values in CEL: type-checked when a flow is compiled, evaluated while a call runs.

The library returns evaluation errors as values that are truthy in Python and raises nothing, so
nothing outside this package touches it: `Expression.holds` is true for the boolean true alone.
"""

from trunkline_runtime.expression.program import (
    EvaluationError,
    Expression,
    ExpressionError,
    ExpressionTooLarge,
    Unset,
    compile_expression,
)
from trunkline_runtime.expression.types import (
    CelType,
    call_names,
    schema_names,
    type_of_declaration,
    type_of_schema,
)

__all__ = [
    "CelType",
    "EvaluationError",
    "Expression",
    "ExpressionError",
    "ExpressionTooLarge",
    "Unset",
    "call_names",
    "compile_expression",
    "schema_names",
    "type_of_declaration",
    "type_of_schema",
]
