"""TL603: words that a `#` may have cut off (a warning).

Finds: `say`, `ask`, `instructions`, `when` or `description` without quotes, followed by a space and
a `#` on its line. For YAML that begins a comment.

On the phone: `Press # to repeat` becomes "Press", and an instruction loses the half that said what
not to do.

Fails:

    say: Press # to repeat

Passes:

    say: "Press # to repeat"
"""

import re
from collections.abc import Iterable, Iterator

from trunkline.checks.at import warning_at
from trunkline.checks.speech.words import choices, described
from trunkline.finding import Finding
from trunkline.model.flow import Flow
from trunkline.model.place import Place
from trunkline.model.repository import Repository
from trunkline.model.texts import texts

CODE = "TL603"
_COMMENT = re.compile(r"[ \t]+#(?!\s*trunkline:)")
_QUOTED_OR_BLOCK = "\"'|>"


def check_file(flow: Flow, repository: Repository) -> Iterator[Finding]:
    """The words of one flow that a comment follows."""
    yield from _cut_off(place for _, place in (*texts(flow), *choices(flow), *described(flow)))


def check_catalogue(repository: Repository) -> Iterator[Finding]:
    """The descriptions of the catalogue that a comment follows."""
    yield from _cut_off(place.at("description") for place in repository.catalogue.places.values())


def _cut_off(places: Iterable[Place]) -> Iterator[Finding]:
    lines: dict[str, list[str]] = {}
    for place in places:
        text = place.document.text
        if "#" not in text:
            continue
        mark = place.mark
        of_file = lines.setdefault(place.path, text.split("\n"))
        first, last = of_file[mark.line - 1], of_file[mark.end_line - 1]
        if first[mark.column - 1 : mark.column] in _QUOTED_OR_BLOCK:
            continue
        if _COMMENT.match(last, mark.end_column - 1):
            message = "is this a comment, or was the text cut off at the `#`?"
            help = "Put the whole text in quotes, or the comment on a line of its own."
            yield warning_at(CODE, place, message, help)
