"""Arguments that several commands take: a release by name, a cache, an output format."""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.cache import default_cache
from trunkline_runtime.release.unavailable import Unavailable
from trunkline_runtime.table.layout import POLICY_NAME

STORE_VARIABLE = "TRUNKLINE_STORE"

# What a fault of a store is told with, where it does not name the store itself.
_OF_A_STORE = re.compile(r"\b(?:store|registry)\b")

_Command = TypeVar("_Command", bound=Callable[..., Any])


def into_option(command: _Command) -> _Command:
    """`--into DIR`: the cache, as a Path in `cache`."""
    return click.option(
        "--into",
        "cache",
        type=click.Path(path_type=Path),
        default=default_cache,
        show_default="releases in TRUNKLINE_STATE_DIR",
        help="Folder that holds what was pulled.",
    )(command)


def from_option(
    *, required: bool, says: str, checked: bool = True
) -> Callable[[_Command], _Command]:
    """`--from STORE`: a folder or the address of a registry, as text in `store`.

    `checked` is false where the command itself says that it is missing, with all else that is.
    """
    option = click.option(
        "--from",
        "store",
        metavar="STORE",
        envvar=STORE_VARIABLE if required else None,
        required=required and checked,
        help=f"{says}: a folder or oci://HOST/PREFIX" + (" (or TRUNKLINE_STORE)." * required),
    )
    return lambda command: option(_naming_the_variable(command))


def _naming_the_variable(command: Any) -> Any:
    """A fault of a store that nobody typed says where its name came from."""

    @functools.wraps(command)
    def asked(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except FatalError as problem:
            source = click.get_current_context().get_parameter_source("store")
            said = str(problem)
            if source is not ParameterSource.ENVIRONMENT or STORE_VARIABLE in said:
                raise
            if isinstance(problem, Refused) and not isinstance(problem, Unavailable):
                raise  # it is the right store: something in it is wrong
            if str(options["store"]) not in said and not _OF_A_STORE.search(said):
                raise
            problem.args = (f"{said} (the store is the one of {STORE_VARIABLE})",)
            raise

    return asked


def format_option(command: _Command) -> _Command:
    """`--format text|json`, in `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How the result is printed.",
    )(command)


def split_name(text: str) -> tuple[str, str | None]:
    """`tenant:v3` as its tenant and tag; the tag is None where none is given.

    Raises FatalError for the policy, which is no tenant.
    """
    name, colon, tag = text.partition(":")
    if name == POLICY_NAME:
        raise FatalError(f"{POLICY_NAME} is no tenant: the newest policy comes with every pull")
    return name, tag if colon else None
