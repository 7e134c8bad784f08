"""The expressions of an inlined flow: what each may name, and its meaning once params are in."""

from collections.abc import Mapping
from functools import cached_property

from trunkline.graph.inline import Inlined
from trunkline.graph.params import params_in_expression
from trunkline.graph.scope import Scope
from trunkline.graph.typed import typed
from trunkline.model.catalogue import Catalogue
from trunkline.model.declaration import Declaration
from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.expression import (
    CelType,
    Expression,
    ExpressionError,
    ExpressionTooLarge,
    call_names,
    schema_names,
    type_of_declaration,
)

BOOLEAN = type_of_declaration("boolean")


class Conditions:
    """Type-checks the expressions of one inlined flow over the names that the flow declares."""

    def __init__(self, inlined: Inlined, catalogue: Catalogue) -> None:
        self._inlined = inlined
        self._catalogue = catalogue
        self._meanings: dict[tuple[Scope, str, str | None], Expression | None] = {}

    @cached_property
    def declared(self) -> Mapping[str, CelType]:
        """The names that every condition of the flow may read, with their types."""
        flow = self._inlined.whole
        return {
            **_declared("slots", flow.slots),
            **_declared("inputs", flow.inputs),
            **{f"facts.{fact}": BOOLEAN for fact in sorted(self._catalogue.fact_names)},
            **{f"failed.{use.id}": BOOLEAN for _, use in self._inlined.uses()},
            **call_names(),
        }

    def names_in(self, scope: Scope) -> Mapping[str, CelType]:
        """As `declared`, with the params of the file that the condition stands in."""
        params = scope.flow.params
        return {**self.declared, **_declared("params", params)} if params else self.declared

    def as_written(self, scope: Scope, text: str) -> Expression:
        """The expression as its file has it. Raises ExpressionError with the column in it."""
        return typed(text, self.names_in(scope))

    def names_with_result(self, scope: Scope, entry: ToolEntry) -> Mapping[str, CelType]:
        """As `names_in`, with what `sets` may read besides: the tool's `args` and `result`."""
        return {**self.names_in(scope), **result_names(entry)}

    def meaning(
        self, scope: Scope, text: str, result_of: ToolEntry | None = None
    ) -> Expression | None:
        """The expression with its params filled in; None if it does not type-check.

        The names that it reads are the host's: a param that is bound to a fact reads that fact.
        It may also read the result of a tool, `result_of`.
        """
        key = (scope, text, None if result_of is None else result_of.id)
        if key not in self._meanings:
            self._meanings[key] = self._meaning(scope, text, result_of)
        return self._meanings[key]

    def _meaning(self, scope: Scope, text: str, result_of: ToolEntry | None) -> Expression | None:
        more = {} if result_of is None else result_names(result_of)
        try:
            written = typed(
                text, {**self.names_in(scope), **more} if more else self.names_in(scope)
            )
            if not params_in_expression(text):
                return written
            return typed(scope.expression(text), {**self.declared, **more})
        except ExpressionError:
            return None

    def is_too_large(self, scope: Scope, text: str) -> bool:
        """True if the expression fits, and is longer or deeper than is read once params are in."""
        try:
            typed(scope.expression(text), self.declared)
        except ExpressionTooLarge:
            return True
        except ExpressionError:
            return False
        return False


def result_names(entry: ToolEntry) -> Mapping[str, CelType]:
    """The names that `sets`, `establishes` and `subject` may read: `args.…` and `result.…`."""
    return {**args_names(entry), **dict(schema_names("result", entry.result))}


def args_names(entry: ToolEntry) -> Mapping[str, CelType]:
    """The names under `args.` of a tool."""
    return dict(schema_names("args", entry.parameters))


def _declared(prefix: str, declarations: Mapping[str, Declaration]) -> dict[str, CelType]:
    return {
        f"{prefix}.{name}": type_of_declaration(declaration.type)
        for name, declaration in declarations.items()
    }
