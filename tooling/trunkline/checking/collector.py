"""Looking for garbage less often: LangGraph makes much of it, and what has been read is none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_ALLOCATIONS = 20_000  # before the collector looks at the youngest; 700 unless it is said
_ROUNDS = 20  # before it looks at the older ones; 10


@contextmanager
def rarely_collecting() -> Iterator[None]:
    """Leaves alone what is there already. A quarter of the time of a check went into looking."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS, _ROUNDS, _ROUNDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
