"""Tools that are Python functions: `run: {python: module:function}` of the catalogue.

A function is called with the tool's arguments by name and returns a JSON object. It may be async;
one that is not runs in a thread, so that it never holds up the voices of other calls. Only modules
under a prefix that the operator of the runtime allows are imported: a catalogue entry alone cannot
reach `os:system`.
"""

import asyncio
import importlib
import inspect
import os
from collections.abc import Callable, Mapping
from typing import Any

from trunkline_runtime.catalogue.entry import ToolEntry
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.tools.runner import ToolContext, ToolFailed, doubt

ALLOWED_VARIABLE = "TRUNKLINE_PYTHON_TOOLS"
DEFAULT_ALLOWED = ("trunkline_tools",)


def allowed_modules(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The packages that TRUNKLINE_PYTHON_TOOLS lists (commas between); else `trunkline_tools`."""
    listed = environment.get(ALLOWED_VARIABLE)
    if listed is None:
        return DEFAULT_ALLOWED
    return tuple(name.strip() for name in listed.split(",") if name.strip())


class PythonRunner:
    """Runs `python` tools."""

    def __init__(self, allowed: tuple[str, ...] | None = None) -> None:
        """`allowed` are the packages whose functions may run; the environment's if not given."""
        self._allowed = allowed_modules(os.environ) if allowed is None else allowed

    async def run(self, entry: ToolEntry, args: Mapping[str, Json], context: ToolContext) -> Json:
        function = self.function(entry)
        try:
            if inspect.iscoroutinefunction(function):
                result = await function(**args)
            else:
                result = await asyncio.to_thread(function, **args)
        except ToolFailed:
            raise
        except Exception as error:
            # What a function of somebody else's raises may quote its arguments: not for the model.
            raise ToolFailed(f"The tool failed.{doubt(entry.idempotent)}") from error
        value: Json = result
        return value

    def function(self, entry: ToolEntry) -> Callable[..., Any]:
        """The declared function. Raises ToolFailed if it may not run or is not there."""
        module_name, _, function_name = entry.run["python"].partition(":")
        if not any(
            module_name == name or module_name.startswith(f"{name}.") for name in self._allowed
        ):
            raise ToolFailed("This tool is not allowed to run here.", nothing_done=True)
        try:
            function = getattr(importlib.import_module(module_name), function_name)
        except (ImportError, AttributeError) as error:
            raise ToolFailed("This tool is not installed here.", nothing_done=True) from error
        if not callable(function):
            raise ToolFailed("This tool is not installed here.", nothing_done=True)
        found: Callable[..., Any] = function
        return found
