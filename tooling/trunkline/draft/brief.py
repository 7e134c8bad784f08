"""The operator's words: what the agent should do on the phone."""

from pathlib import Path

from trunkline.failure import FatalError
from trunkline.masking import hidden

LONGEST = 20_000  # characters; more is a manual, not a brief


def brief_of(text: str) -> str:
    """The words as they are sent to a model: tidied, without telephone numbers and secrets.

    A flow names numbers and never holds one, so no model needs them. Raises FatalError if there
    are no words, or too many.
    """
    words = "\n".join(" ".join(line.split()) for line in text.strip().splitlines())
    if not words:
        raise FatalError("the brief is empty: say what the agent should do on the phone")
    if len(words) > LONGEST:
        raise FatalError(
            f"the brief is {len(words):,} characters long; {LONGEST:,} is the most. "
            "Say what happens on the call, and leave the rest out."
        )
    return hidden(words, lambda _: "[a telephone number]", lambda _: "[a secret]")


def read_brief(file: Path) -> str:
    """The text of a file. Raises FatalError if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as problem:
        raise FatalError(f"{file}: it cannot be read: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise FatalError(f"{file}: this is no text in UTF-8") from problem
