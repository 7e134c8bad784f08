"""Makes text from a flow inert: in a comment it is seen as it is and does nothing.

GitHub turns Markdown into HTML and then looks through the text for mentions, issue numbers,
commits, addresses, emoji and formulas; an entity stops the first step only, so what the second
would find is cut in two by a character that is not seen.
"""

import re

# A word joiner: no width, no line break.
_CUT = "\u2060"
_BREAKS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<=@)(?=[A-Za-z0-9_])",  # @team, and the end of an e-mail address
        r"(?<=#)(?=\d)",  # #12, owner/repository#12
        r"(?i)(?<=gh)(?=-\d)",  # GH-12
        r"(?<=:)(?=//)",  # a scheme
        r"(?i)(?<=www)(?=\.)",
        r"(?i)(?<=mailto)(?=:)|(?<=xmpp)(?=:)",
        r"(?<=:)(?=[A-Za-z0-9_+-]+:)",  # :emoji:
    )
)
# A commit, as GitHub finds one: hexadecimal digits, of which some are digits and some letters.
_COMMIT = re.compile(r"(?<!\w)(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}(?!\w)")
_SHOWN_OF_A_COMMIT = 4
# What means something to Markdown or HTML in the middle of a line, as entities. GitHub's own way
# to write a dollar that begins no formula is to put it into a span.
_ENTITIES = {ord(sign): f"&#{ord(sign)};" for sign in '\\`*_[]<>#|~&"@'}
_ENTITIES[ord("$")] = "<span>&#36;</span>"
# What is not seen, or turns the text around it: controls, joiners, bidi signs, tags, surrogates.
_HIDDEN = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)


def inert(text: str) -> str:
    """The text for the middle of a paragraph, a table or a summary. One line."""
    seen = plain(text)
    for pattern in _BREAKS:
        seen = pattern.sub(_CUT, seen)
    seen = _COMMIT.sub(lambda found: _cut(found[0], _SHOWN_OF_A_COMMIT), seen)
    return seen.translate(_ENTITIES)


def plain(text: str) -> str:
    """One line of what can be seen: spaces for line ends, a sign for what hides or turns text."""
    return without_hidden(" ".join(text.split()))


def without_hidden(text: str) -> str:
    """The text with a sign in the place of each character that is not seen."""
    return _HIDDEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def code(text: str) -> str:
    """An id or an expression, as code; nothing in a span of code does anything."""
    line = plain(text)
    if not line or any(sign in line for sign in "`|\\"):
        return html_code(line)
    return f"`{line}`"


def html_code(text: str) -> str:
    """The same where Markdown is not read: in a summary."""
    return f"<code>{inert(text)}</code>"


def sentence(text: str) -> str:
    """A message: what stands between two backticks becomes code, and all of it is inert.

    Words of a flow in a message may hold backticks too; they can make code, and nothing else.
    """
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return inert(text)
    return "".join(code(part) if index % 2 else _spaced(part) for index, part in enumerate(parts))


def _spaced(text: str) -> str:
    """Inert text that keeps the space at its ends."""
    head = " " if text[:1].isspace() else ""
    tail = " " if text[-1:].isspace() and text.strip() else ""
    return f"{head}{inert(text)}{tail}"


def fenced(text: str, language: str = "") -> str:
    """A block of code around text that may itself hold a fence."""
    longest = max((len(found) for found in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = "\n".join(without_hidden(line) for line in text.rstrip().split("\n"))
    return f"{fence}{language}\n{lines}\n{fence}"


def _cut(word: str, at: int) -> str:
    return word[:at] + _CUT + word[at:]
