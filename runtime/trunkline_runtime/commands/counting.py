"""A number with its noun, so that one of something is not told as several."""


def counted(number: int, one: str, several: str | None = None) -> str:
    """`1 line`, `2 lines`; `several` where an s does not do."""
    return f"{number} {one if number == 1 else several or one + 's'}"
