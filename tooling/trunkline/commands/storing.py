"""What the commands that write to a store say when it is not theirs to write to."""

from collections.abc import Iterator
from contextlib import contextmanager

from trunkline.failure import FatalError
from trunkline_runtime.table.exclusive import Busy


class BusyStore(FatalError):
    """Another publish holds the store: nothing is wrong with what was asked. Exit code 1."""

    exit_code = 1


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
