"""The ledger that the calls of a stage share, one after the other, and that is emptied between."""

import sqlite3
from contextlib import closing
from pathlib import Path

from trunkline_runtime.gate.ledger import Ledger


class Books:
    """One ledger in a folder. Making its tables takes longer than most scenarios."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "ledger.sqlite3"
        self.ledger = Ledger.at(self._path)

    def clear(self) -> None:
        """Empties every table: no scenario knows of the calls of another."""
        with closing(sqlite3.connect(self._path)) as connection, connection:
            named = connection.execute("select name from sqlite_master where type = 'table'")
            for (name,) in named.fetchall():
                connection.execute(f'delete from "{name}"')
