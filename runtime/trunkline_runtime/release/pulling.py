"""One pull under way: from where to where, whom it believes, and what it has moved so far."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from trunkline_runtime.release.fetch import Moved
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.shelf import Shelf
from trunkline_runtime.release.source import FolderSource, Source
from trunkline_runtime.release.trusted import Keys
from trunkline_runtime.release.unavailable import Unavailable

# A test of a release that needs more than what is known here: its faults, each as a sentence.
Rehearsal = Callable[[Release], Iterable[str]]


def unrehearsed(release: Release) -> Iterable[str]:
    """No test beyond the self-test."""
    return ()


@dataclass(frozen=True)
class Pulling:
    """What every step of a pull needs to know. `keys` are those that are trusted, maybe none."""

    source: Source
    cache: Path
    keys: Keys
    now: datetime
    shelf: Shelf = field(default_factory=Shelf)
    rehearse: Rehearsal = unrehearsed
    moved: Moved = field(default_factory=Moved)

    @property
    def into(self) -> FolderSource:
        """The cache, as what was fetched is read from it."""
        return FolderSource(self.cache)

    @contextmanager
    def writing(self, name: str) -> Iterator[None]:
        """Says in plain words that the cache can't be written. Raises Unavailable."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise Unavailable(
                f"{name} was not pulled, {self.cache} can't be written: {reason}; "
                "what was current still is"
            ) from None
