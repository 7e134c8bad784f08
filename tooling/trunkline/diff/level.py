"""How much a change matters to the people who are called."""

from enum import IntEnum


class Level(IntEnum):
    """`info` < `risky` < `breaking`: words, what a reviewer must weigh, what compliance must."""

    INFO = 0
    RISKY = 1
    BREAKING = 2

    @property
    def word(self) -> str:
        """The word that JSON, the command line and comments use."""
        return self.name.lower()


LEVELS = {level.word: level for level in Level}
