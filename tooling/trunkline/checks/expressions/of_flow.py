"""The expressions of a flow: conditions, arguments, what results set, params and links."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trunkline.checks.at import error_at
from trunkline.checks.expressions.fault import CODE, compiled, finding_in
from trunkline.checks.expressions.fit import (
    fits_declaration,
    fits_schema,
    literal_fits_declaration,
    literal_fits_schema,
    words_of,
)
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.scope import Scope
from trunkline.model.declaration import Declaration
from trunkline.model.edge import Edge
from trunkline.model.nodes import LinkNode, RouteNode, TalkNode
from trunkline.model.place import Place
from trunkline.model.tool_use import ToolUse
from trunkline_runtime.expression import CelType, Expression


def faults_of_flow(analysis: Analysis, scope: Scope) -> Iterator[Finding]:
    """The faults in the expressions of one file of the flow."""
    names = analysis.conditions.names_in(scope)
    edges = list(scope.flow.anywhere)
    uses = list(scope.flow.after_call)
    for node in scope.flow.nodes.values():
        if isinstance(node, TalkNode | RouteNode):
            edges += node.edges
        if isinstance(node, TalkNode):
            uses += node.tools
        if isinstance(node, LinkNode):
            yield from _link(analysis, node, names)
    for edge in edges:
        yield from _edge(edge, names)
    for use in uses:
        yield from _use(analysis, scope, use, names)
    if scope.params:
        yield from _too_large(analysis, scope, edges, uses)


def _too_large(
    analysis: Analysis, scope: Scope, edges: Sequence[Edge], uses: Sequence[ToolUse]
) -> Iterator[Finding]:
    """Expressions that are sound as they are written, and too much with what params are given."""
    written: list[tuple[object, Place]] = [(edge.condition, edge.place.at("if")) for edge in edges]
    for use in uses:
        written.append((use.condition, use.place.at("if")))
        written += [(value, use.place.at("with", name)) for name, value in use.bind.items()]
    for text, place in written:
        if isinstance(text, str) and analysis.conditions.is_too_large(scope, text):
            names = analysis.conditions.names_in(scope)
            if not isinstance(compiled(text, names, place), Finding):
                message = "with what its params are given, this is too long or too deep to be read"
                help = (
                    "Give names (`slots.x`) instead of expressions, or read the param less often."
                )
                yield error_at(CODE, place, message, help)


def _edge(edge: Edge, names: Mapping[str, CelType]) -> Iterator[Finding]:
    if edge.condition is not None:
        yield from _condition(edge.condition, names, edge.place.at("if"))


def _condition(text: str, names: Mapping[str, CelType], place: Place) -> Iterator[Finding]:
    expression = compiled(text, names, place)
    if isinstance(expression, Finding):
        yield expression
    elif expression.type_name not in ("BOOL", "DYN"):
        message = f"a condition is a yes/no value, and this is {words_of(expression.type_name)}"
        yield finding_in(text, 1, place, message, "Compare it with something, for example `==`.")


def _use(
    analysis: Analysis, scope: Scope, use: ToolUse, names: Mapping[str, CelType]
) -> Iterator[Finding]:
    if use.condition is not None:
        yield from _condition(use.condition, names, use.place.at("if"))
    entry = analysis.catalogue.entries.get(use.id)
    properties: Mapping[str, Any] = entry.parameters.get("properties", {}) if entry else {}
    for argument, value in use.bind.items():
        place = use.place.at("with", argument)
        schema = properties.get(argument, {})
        yield from _argument(use.id, argument, value, schema, names, place)
    if entry is not None and use.sets:
        seen = analysis.conditions.names_with_result(scope, entry)
        for slot, value in use.sets.items():
            declared = analysis.inlined.whole.slots.get(slot)
            yield from _sets(seen, declared, value, use.place.at("sets", slot))


def _argument(
    tool: str,
    argument: str,
    value: object,
    schema: Mapping[str, Any],
    names: Mapping[str, CelType],
    place: Place,
) -> Iterator[Finding]:
    if not isinstance(value, str):
        if not literal_fits_schema(value, schema):
            message = f"this value does not fit the argument `{argument}` of {tool}"
            yield error_at(CODE, place, message, _wanted(schema))
        return
    expression = compiled(value, names, place)
    if isinstance(expression, Finding):
        yield expression
        return
    known, constant = _constant(expression)
    if known and isinstance(constant, str | bool | int | float):
        fits = literal_fits_schema(constant, schema)
    else:
        fits = fits_schema(expression, schema)
    if not fits:
        kind = "this value" if known else words_of(expression.type_name)
        message = f"{kind} does not fit the argument `{argument}` of {tool}"
        yield finding_in(value, 1, place, message, _wanted(schema))


def _constant(expression: Expression) -> tuple[bool, object]:
    """`(True, value)` for an expression that reads nothing."""
    if expression.names:
        return False, None
    try:
        return True, expression.value({})
    except (ValueError, LookupError):
        return False, None


def _wanted(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        choices = ", ".join(f"'\"{each}\"'" for each in schema["enum"] if isinstance(each, str))
        return f"It takes one of {choices}." if choices else ""
    kind = schema.get("type")
    return f"It takes a value of type {kind}." if isinstance(kind, str) else ""


def _sets(
    names: Mapping[str, CelType], declared: Declaration | None, value: object, place: Place
) -> Iterator[Finding]:
    """`sets` sees the arguments and the result of the call besides what a condition sees."""
    fits = True
    if isinstance(value, str):
        expression = compiled(value, names, place)
        if isinstance(expression, Finding):
            yield expression
        elif declared is not None:
            fits = fits_declaration(expression, declared, whole_is_number=True)
    elif declared is not None:
        fits = literal_fits_declaration(value, declared)
    if not fits and declared is not None:
        message = f"this does not fit `slots.{declared.name}`, which is of type {declared.type}"
        help = "Name a part of the result of that type, or declare the slot with another type."
        yield error_at(CODE, place, message, help)


def _link(analysis: Analysis, node: LinkNode, names: Mapping[str, CelType]) -> Iterator[Finding]:
    target = analysis.repository.whole_flow(analysis.inlined.tenant, node.flow)
    for name, value in node.bind.items():
        place = node.place.at("with", name)
        declared = None
        if target is not None:
            declared = target.inputs.get(name) or target.slots.get(name)
        fits = True
        if isinstance(value, str):
            expression = compiled(value, names, place)
            if isinstance(expression, Finding):
                yield expression
            elif declared is not None:
                fits = fits_declaration(expression, declared, whole_is_number=True)
        elif declared is not None:
            fits = literal_fits_declaration(value, declared)
        if not fits and declared is not None:
            message = f"this does not fit `{name}` of {node.flow}, which is of type {declared.type}"
            yield error_at(CODE, place, message, "Give a value of that type.")
