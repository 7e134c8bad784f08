"""TL602: words that cannot be spoken (a warning).

Finds: in `say` and `ask`: markup (stars, back quotes, headings, lists, tags, links in brackets),
emoji, and more than 400 characters at a time. Instructions are read by the model and may be so.

On the phone: "asterisk asterisk important", or half a minute in which nobody can answer.

Fails:

    say: "**Important:** this call is recorded."

Passes:

    say: Please note that this call is recorded.
"""

import re
from collections.abc import Iterator

from trunkline.checks.at import warning_at
from trunkline.checks.speech.words import spoken
from trunkline.finding import Finding
from trunkline.model.flow import Flow
from trunkline.model.repository import Repository

CODE = "TL602"
LONGEST = 400  # characters: about half a minute
_MARKUP = re.compile(
    r"""\*\w|\w\*|__|`            # emphasis, code
      | ^[ ]*(?:\#{1,6}|[-*+•])[ ] # a heading, a list
      | </?[A-Za-z][^<>]*>        # a tag
      | \]\(                      # a link
      | [\U0001F300-\U0001FAFF\u2600-\u27BF]""",
    re.VERBOSE | re.MULTILINE,
)
_FIELD = re.compile(r"\{\{[^{}]*\}\}")


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """What a voice cannot say, or not in one breath."""
    for text, place in spoken(flow):
        words = _FIELD.sub(" ", text)
        if _MARKUP.search(words):
            message = "markup or a symbol stands in words that are spoken"
            yield warning_at(CODE, place, message, "Write it as it should sound.")
        if len(words) > LONGEST:
            message = f"{len(words)} characters at a time are too much to listen to"
            help = f"Say it in less than {LONGEST}, or on two nodes with a question between."
            yield warning_at(CODE, place, message, help)
