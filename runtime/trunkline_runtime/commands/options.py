"""Arguments that several commands take: a release by name, a cache, an output format."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import default_cache
from trunkline_runtime.table.layout import POLICY_NAME

STORE_VARIABLE = "TRUNKLINE_STORE"

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
    return click.option(
        "--from",
        "store",
        metavar="STORE",
        envvar=STORE_VARIABLE if required else None,
        required=required and checked,
        help=f"{says}: a folder or oci://HOST/PREFIX" + (" (or TRUNKLINE_STORE)." * required),
    )


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
