"""The values that a host gives to the params of a shared flow."""

from collections.abc import Iterator

from trunkline.checks.at import error_at
from trunkline.checks.expressions.fault import CODE, compiled
from trunkline.checks.expressions.fit import (
    fits_declaration,
    literal_fits_declaration,
    words_of,
)
from trunkline.finding import Finding
from trunkline.graph.analysis import Analysis
from trunkline.graph.lexed import names_read
from trunkline.graph.params import Param
from trunkline.graph.scope import Scope
from trunkline.model.declaration import Declaration
from trunkline.model.place import Place
from trunkline.model.template import fields
from trunkline.model.texts import texts

_NO_FIELDS = "Give the words themselves, or one name: `slots.x`, `inputs.x`."


def faults_of_params(analysis: Analysis, scope: Scope) -> Iterator[Finding]:
    """The faults in what is given to one file of the flow where it stands."""
    if scope.host is not None and scope.node is not None:
        names = analysis.conditions.names_in(scope.host)
        for name, value in scope.node.bind.items():
            declared, place = scope.flow.params.get(name), scope.node.place.at("with", name)
            if isinstance(value, str):
                expression = compiled(value, names, place)
                if isinstance(expression, Finding):
                    yield expression
                elif declared and not fits_declaration(expression, declared, False):
                    yield _misfit(declared, scope, place, words_of(expression.type_name))
                elif name in scope.params and _holds_a_field(scope.params[name]):
                    message = "fixed words are taken as they are, so `{{ … }}` would be spoken"
                    yield error_at(CODE, place, message, _NO_FIELDS)
            elif declared and not literal_fits_declaration(value, declared):
                yield _misfit(declared, scope, place, "this value")
    elif analysis.inlined.flow.use is not None:
        flow = analysis.inlined.flow
        for name, value in flow.given.items():
            declared, place = scope.flow.params.get(name), flow.place.at("with", name)
            if declared and not literal_fits_declaration(value, declared):
                yield _misfit(declared, scope, place, "this value")
            elif isinstance(value, str) and fields(value):
                message = "what a `use` gives is taken as it is, so `{{ … }}` would be spoken"
                yield error_at(CODE, place, message, "Write the words themselves.")
    yield from _unspeakable(scope)


def _holds_a_field(param: Param) -> bool:
    """True for fixed words with braces in them: what they name would be read unproven."""
    words = param.words
    return words is not None and bool(fields(words)) and not names_read(param.expression)


def _misfit(declared: Declaration, scope: Scope, place: Place, kind: str) -> Finding:
    wanted = f"the param `{declared.name}` of shared/{scope.flow.id}, which is of type"
    message = f"{kind} does not fit {wanted} {declared.type}"
    help = "Give a value of that type."
    if declared.type == "number":
        help = "Give a number with a point (`1.0`), or write `double(…)` around a whole number."
    elif declared.choices:
        help = f"It takes one of {', '.join(declared.choices)}."
    return error_at(CODE, place, message, help)


def _unspeakable(scope: Scope) -> Iterator[Finding]:
    """Params that a text of the shared flow speaks, and that are computed while the call runs."""
    spoken = {
        field.parts[1]
        for text, _ in texts(scope.flow)
        for field in fields(text)
        if field.is_name and field.parts[0] == "params"
    }
    for name in sorted(spoken & scope.params.keys()):
        if scope.params[name].words is None:
            message = f"shared/{scope.flow.id} speaks `{name}`, and this cannot be spoken"
            help = "Give one name (`slots.x`, `inputs.x`) or fixed words ('\"…\"')."
            yield error_at(CODE, scope.params[name].place, message, help)
