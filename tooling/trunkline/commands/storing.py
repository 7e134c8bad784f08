"""What the commands of a store share: how it is named, and what is said if it is not theirs."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from trunkline.failure import FatalError
from trunkline.release.open_store import open_store
from trunkline.release.store import Store
from trunkline_runtime.table.exclusive import Busy

_Command = TypeVar("_Command", bound=Callable[..., Any])


class BusyStore(FatalError):
    """Another publish holds the store: nothing is wrong with what was asked. Exit code 1."""

    exit_code = 1


def from_store(*, required: bool, says: str = "") -> Callable[[_Command], _Command]:
    """The option that names the store to read; the command gets it as `store`."""
    return click.option(
        "--from",
        "store",
        metavar="STORE",
        envvar="TRUNKLINE_STORE",
        show_envvar=True,
        required=required,
        callback=_opened,
        help=f"The folder or oci://HOST/PREFIX that publish writes to{says}.",
    )


@contextmanager
def told(place: str) -> Iterator[None]:
    """Turns what a store can refuse into one sentence. Raises BusyStore and FatalError."""
    try:
        yield
    except Busy:
        raise BusyStore(f"another publish to {place} is running; try again later") from None
    except OSError as error:
        raise FatalError(
            f"{place} can't be written: {error.strerror or error}; "
            "what is published there is whole, and publishing again goes on from it"
        ) from None


def _opened(context: click.Context, parameter: click.Parameter, place: str | None) -> Store | None:
    return open_store(place) if place else None
