"""A tool that is a Python function: is it there, and does it take the tool's arguments?"""

import ast
from collections.abc import Iterable, Iterator

from trunkline.checks.at import error_at, listed
from trunkline.finding import Finding
from trunkline.model.place import Place
from trunkline.nearest import did_you_mean
from trunkline.source.decoding import LARGEST_FILE
from trunkline.source.python_modules import module_source
from trunkline.source.tree import Tree
from trunkline_runtime.catalogue.entry import ToolEntry

CODE = "TL304"
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def faults_of_function(entry: ToolEntry, place: Place, tree: Tree) -> Iterator[Finding]:
    """The faults of `run: {python: module:function}`, found by reading the module."""
    named = entry.run.get("python")
    if named is None:
        return
    module, _, function = named.partition(":")
    where = place.at("run", "python")
    source = module_source(tree, module)
    if source is None:
        message = f"there is no Python module `{module}` whose source could be read"
        path = module.replace(".", "/")
        help = f"Write it as {path}.py in this repository, or install the package that holds it."
        yield error_at(CODE, where, message, help)
        return
    names = None if len(source) > LARGEST_FILE else _names(source)
    if names is None:
        yield error_at(CODE, where, f"`{module}` cannot be read as Python")
    elif function not in names and "*" not in names:
        message = f"the module `{module}` has no function `{function}`"
        yield error_at(CODE, where, message, did_you_mean(function, names))
    else:
        definition = names.get(function)
        if definition is not None and not definition.decorator_list:
            yield from _signature(entry, definition, where)


def _names(source: bytes) -> dict[str, _Function | None] | None:
    """What a module defines at its top: name → its function, None for what is not written there.

    None for what is no Python.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return dict(_defined(tree.body))


def _defined(body: Iterable[ast.stmt]) -> Iterator[tuple[str, _Function | None]]:
    for statement in body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield statement.name, statement
            case ast.ClassDef():
                yield statement.name, None
            case ast.Import() | ast.ImportFrom():
                for alias in statement.names:
                    yield (alias.asname or alias.name).split(".")[0], None
            case ast.Assign():
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        yield target.id, None
            case ast.AnnAssign(target=ast.Name() as name):
                yield name.id, None
            case ast.If() | ast.Try() | ast.With():
                yield from _defined(statement.body)
                yield from _defined(getattr(statement, "orelse", ()))
                for handler in getattr(statement, "handlers", ()):
                    yield from _defined(handler.body)


def _signature(entry: ToolEntry, function: _Function, place: Place) -> Iterator[Finding]:
    """It is called with the tool's arguments by name, and only with those that were given."""
    given = tuple(entry.parameters.get("properties", {}))
    always = frozenset(entry.parameters.get("required", ()))
    named = function.args
    by_name = [*named.args, *named.kwonlyargs]
    taken = {each.arg for each in by_name}
    unknown = tuple(name for name in given if name not in taken)
    if unknown and named.kwarg is None:
        message = f"`{function.name}` does not take {listed(unknown)}, which the tool passes"
        yield error_at(CODE, place, message, "Add it to the function, or take it out of the tool.")
    needed = _without_default(function)
    missing = tuple(name for name in needed if name not in always or name not in taken)
    if missing:
        message = f"`{function.name}` needs {listed(missing)}, which the tool may not pass"
        help = "Give it a default in the function, or list it under `required` of the tool."
        yield error_at(CODE, place, message, help)


def _without_default(function: _Function) -> Iterator[str]:
    named = function.args
    positional = [*named.posonlyargs, *named.args]
    for argument in positional[: len(positional) - len(named.defaults)]:
        yield argument.arg
    for argument, default in zip(named.kwonlyargs, named.kw_defaults, strict=True):
        if default is None:
            yield argument.arg
