"""How a text is spelled in quotes, so that every YAML reader takes it as it stands."""

import json

_LONGEST_HELP = 200


def quoted(text: str) -> str:
    """The YAML spelling of `text` in quotes: double ones, or single ones where it holds double."""
    if not text.isprintable():
        return json.dumps(text, ensure_ascii=False)
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def shown(text: str, longest: int = 40) -> str:
    """`text` in backticks for a message: on one line, cut where it is long."""
    line = " ".join(text.split())
    return f"`{line}`" if len(line) <= longest else f"`{line[: longest - 1]}…`"


def quoting_help(text: str, lead: str = "Quote it") -> str:
    """What to write for a text that needs quotes; a long one is not repeated."""
    return f"{lead}: {quoted(text)}" if len(text) <= _LONGEST_HELP else f"{lead}."
