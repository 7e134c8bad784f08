"""What a worker's metrics show of its releases: what is current, and what calls hold."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

from trunkline_runtime.release.board import PinBoard, Standing
from trunkline_runtime.release.loaded import Release
from trunkline_runtime.release.workers import holds


class FleetView:
    """The board of a worker whose calls run elsewhere on its machine."""

    def __init__(self, board: PinBoard, cache: Path) -> None:
        self._board = board
        self._cache = cache
        self._seen: dict[str, Release] = {}

    def standings(self) -> tuple[Standing, ...]:
        """Every release that is current, and those known here that only calls hold still."""
        calls: Counter[str] = Counter()
        for hold in holds(self._cache):
            calls[hold.digest] += hold.calls
        rows = {row.release.digest: row for row in self._board.standings()}
        self._seen |= {digest: row.release for digest, row in rows.items()}
        self._seen = {
            digest: release
            for digest, release in self._seen.items()
            if digest in rows or calls[digest]
        }
        found = [
            replace(rows[digest], calls=calls[digest])
            if digest in rows
            else Standing(release, (), calls[digest], {})
            for digest, release in self._seen.items()
        ]
        return tuple(sorted(found, key=lambda row: (row.release.tenant, row.release.sequence)))
