"""What the YAML parser could not read, in plain words (TL001, and TL003 where it is a tag)."""

import re

import yaml

from trunkline.finding import START, Finding, Mark, error
from trunkline.source.quoting import quoting_help

# libyaml's words → what is wrong, what to do.
_PLAIN_WORDS = {
    "mapping values are not allowed in this context": (
        "a colon where no key can stand",
        "Text that holds a colon and a space needs quotes; a key must be indented like its "
        "neighbours.",
    ),
    "did not find expected ',' or '}'": (
        "a `{` that is not closed, or text after it that needs quotes",
        "Close the brace, put a comma between its keys, or quote the text.",
    ),
    "did not find expected ',' or ']'": (
        "a `[` that is not closed, or text after it that needs quotes",
        "Close the bracket, put a comma between its items, or quote the text.",
    ),
    "did not find expected key": (
        "a line that does not belong to the keys around it",
        "Indent it like its neighbours; text after a closing quote or brace needs quotes around "
        "all of it.",
    ),
    "did not find expected '-' indicator": (
        "a line that does not belong to the list around it",
        "Begin each item of a list with `- `, indented alike.",
    ),
    "could not find expected ':'": (
        "a key without a colon",
        "Write `key: value`; text of several lines needs quotes or `|`.",
    ),
    "block sequence entries are not allowed in this context": (
        "a `- ` where no list can begin",
        "Put the list on the next line, or quote the text.",
    ),
    "found unexpected end of stream": (
        "a quote that is not closed",
        "Close it with the same kind of quote.",
    ),
    "found unexpected document indicator": (
        "a quote that is not closed before `---`",
        "Close it with the same kind of quote.",
    ),
    "found unknown escape character": (
        "a backslash in double quotes with an unknown letter after it",
        "Use single quotes for text with backslashes.",
    ),
    "found invalid Unicode character escape code": (
        "an escape that names no character",
        "Write the character itself.",
    ),
    "did not find expected node content": (
        "a comma or a bracket where a value was expected",
        "Write a value, or quote the text.",
    ),
    "did not find expected <document start>": (
        "text after the end of the document",
        "Put it inside the quotes or brackets before it, or quote all of it.",
    ),
    "exceeded maximum nesting depth": ("this file is too deep", "Write it flatter."),
    "found unknown directive name": ("a line that begins with `%`", "Quote the text."),
}
# Of a `?`, and of the `|` and `>` that begin a text of several lines.
_BEGUN = (
    "mapping keys are not allowed in this context",
    "did not find expected comment or line break",
)
# Of a brace or bracket whose end lies behind a `#`.
_TORN = (
    "did not find expected ',' or '}'",
    "did not find expected ',' or ']'",
    "did not find expected node content",
)
# A `#` after a space and outside quotes, with a closing bracket somewhere behind it. Each character
# is read in one way only, so that no line takes long.
_HIDES_THE_END = re.compile(
    r"""^(?:[^'"#]|(?<!\w)'[^']*'|(?<!\w)"[^"]*"|(?<=\w)['"#])*?\s(?=\#[^{\[]*[}\]])"""
)
_NEAR = 2000  # characters; a line of a megabyte is no text that somebody forgot to quote
_CANNOT_START = "found character that cannot start any token"


def syntax_finding(path: str, problem: yaml.YAMLError, text: str) -> Finding:
    """The finding for an exception of the parser, on the line where it stopped."""
    lines = text.splitlines()
    words = str(getattr(problem, "problem", None) or "not readable as YAML")
    context = str(getattr(problem, "context", None) or "")
    place: yaml.Mark | None = getattr(problem, "problem_mark", None)
    begun: yaml.Mark | None = getattr(problem, "context_mark", None)
    if place is None:
        return error("TL001", path, START, words)
    if any(sign in context or sign in words for sign in ("anchor", "alias", "tag")):
        return _sign(path, begun or place, lines)
    mark = _within(place, lines)
    if words == _CANNOT_START:
        return error("TL001", path, mark, *_cannot_start(lines[mark.line - 1], mark.column))
    if words in _BEGUN:
        return _begun(path, place, lines)
    if words in _TORN and (found := _cut_off(path, begun or place, lines)) is not None:
        return found
    message, help = _PLAIN_WORDS.get(words, (f"not readable as YAML: {words}", ""))
    if begun is not None and begun.line + 1 < mark.line:
        message = f"{message} (begun on line {begun.line + 1})"
    return error("TL001", path, mark, message, help)


def _within(place: yaml.Mark, lines: list[str]) -> Mark:
    """The place of a parser, moved back into the text where it lies behind the end."""
    line = max(1, min(place.line + 1, len(lines)))
    column = place.column + 1 if line == place.line + 1 else len(lines[line - 1]) + 1
    return Mark(line, column, line, column + 1)


def _cannot_start(line: str, column: int) -> tuple[str, str]:
    character = line[column - 1 : column]
    if character == "\t" or "\t" in line[: column - 1]:
        return "a tab; YAML is indented with spaces", "Replace each tab by spaces."
    text = line[column - 1 : end_of_plain_text(line, column - 1)]
    return f"text that begins with `{character}`", quoting_help(text.strip())


def _sign(path: str, place: yaml.Mark, lines: list[str]) -> Finding:
    """`if: !facts.a && facts.b` and the like: text that YAML takes for a tag or an anchor."""
    mark = _within(place, lines)
    line = lines[mark.line - 1]
    begin = re.search(r"(?:^|[:\-{\[,]\s+)(?=[!&*])", line[: mark.column])
    start = begin.end() if begin else mark.column - 1
    end = end_of_plain_text(line, start)
    where = Mark(mark.line, start + 1, mark.line, end + 1)
    return error("TL003", path, where, *about_sign(line[start:end]))


def _cut_off(path: str, place: yaml.Mark, lines: list[str]) -> Finding | None:
    """`{to: again, when: Press # to repeat}`: for YAML the brace is in a comment."""
    number = _within(place, lines).line
    line = lines[number - 1]
    if len(line) > _NEAR:
        return None
    cut = _HIDES_THE_END.search(line)
    if cut is None:
        return None
    start = max(found.end() for found in re.finditer(r"^|: +|[\[{,] *", line[: cut.end()]))
    end = end_of_plain_text(line, start)
    where = Mark(number, cut.end() + 1, number, len(line.rstrip()) + 1)
    message = "from this `#` on the line is a comment for YAML, its closing bracket too"
    return error("TL001", path, where, message, quoting_help(line[start:end], "Quote the text"))


def _begun(path: str, place: yaml.Mark, lines: list[str]) -> Finding:
    """`when: > 5 minutes` and the like: a sign that has a meaning of its own begins the text."""
    mark = _within(place, lines)
    line = lines[mark.line - 1]
    begin = re.search(r"(?:^|:|(?:^|\s)-)\s*(?=[?|>])", line[: mark.column])
    start = begin.end() if begin else mark.column - 1
    text = line[start:].rstrip()
    where = Mark(mark.line, start + 1, mark.line, start + 2)
    message = f"text that begins with `{text[:1]}`, which has a meaning of its own in YAML"
    return error("TL001", path, where, message, quoting_help(text))


def end_of_plain_text(line: str, start: int) -> int:
    """Where text that begins at `start` was meant to end: in braces, before the next key."""
    before = line[max(0, start - _NEAR) : start]
    if before.count("{") + before.count("[") > before.count("}") + before.count("]"):
        stop = re.search(r"\s*(?:,\s+[A-Za-z_]+:\s|[}\]])", line[start : start + _NEAR])
        return start + stop.start() if stop else len(line.rstrip())
    return len(line.rstrip())


def about_sign(text: str) -> tuple[str, str]:
    """Message and help for text that begins with `!`, `&` or `*`."""
    what = {"!": "a tag", "&": "an anchor", "*": "an alias"}.get(text[:1], "a tag or an anchor")
    if_text = quoting_help(text, "If it is, quote it")
    return (
        f"text that begins with `{text[:1]}` is {what} for YAML, and those are not used here",
        f"If it is not text, write out what it stands for. {if_text}",
    )
