"""TL106: a comment that ignores nothing (a warning).

Finds: a comment `# trunkline: …` that is not `ignore[CODE] reason`, that gives no reason, that
names an error (those are mended, never ignored), or that stands where there is no such warning. It
is about the line that it stands on, or, alone on its line, about the next one. The first 200 of a
file are read.

On the phone: nothing changes. But a comment that nobody needs any more would let the next warning
of its kind pass unseen.

Fails:

    # trunkline: ignore[TL303]
    tools: [search_knowledge]

Passes:

    # trunkline: ignore[TL303] the caller may ask about anything on this node
    tools: [search_knowledge]
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from trunkline.checks.at import listed
from trunkline.finding import Finding, warning
from trunkline.source.ignores import Ignore

CODE = "TL106"
MOST = 200  # comments of one file: of more than these nobody has thought about each
_HELP = "Write `# trunkline: ignore[TL303] why it may stand`."


def without_ignored(
    findings: Iterable[Finding], ignored: Mapping[str, Sequence[Ignore]]
) -> Iterator[Finding]:
    """The findings without the warnings that comments ignore, and a warning for each comment that
    ignores nothing. `ignored` maps a path to the comments in that file.
    """
    found = list(findings)
    comments = {
        path: [(comment, _fault(comment)) for comment in some[:MOST]]
        for path, some in ignored.items()
    }
    let_stand = {
        (path, comment.line, code)
        for path, some in comments.items()
        for comment, fault in some
        if fault is None
        for code in comment.codes
    }
    places: dict[tuple[str, int, str], set[str]] = {}
    for finding in found:
        place = (finding.path, finding.line, finding.code)
        places.setdefault(place, set()).add(finding.severity)
        if finding.severity != "warning" or place not in let_stand:
            yield finding
    for path, all in ignored.items():
        if len(all) > MOST:
            message = f"more than {MOST} of these comments: from here on they are not read"
            yield warning(CODE, path, all[MOST].mark, message, "Mend the warnings instead.")
    for path, some in comments.items():
        for comment, fault in some:
            if fault is not None:
                yield warning(CODE, path, comment.mark, *fault)
            else:
                yield from _needless(path, comment, places)


def _fault(comment: Ignore) -> tuple[str, str] | None:
    """Message and help for a comment that says too little."""
    if not comment.codes:
        return "this comment is for Trunkline, and is not understood", _HELP
    if not comment.reason:
        return f"this comment does not say why {listed(comment.codes)} may stand", _HELP
    return None


def _needless(
    path: str, comment: Ignore, places: Mapping[tuple[str, int, str], set[str]]
) -> Iterator[Finding]:
    for code in comment.codes:
        severities = places.get((path, comment.line, code), set())
        if not severities:
            message = f"there is no {code} in line {comment.line} to ignore"
            yield warning(CODE, path, comment.mark, message, "Take the comment out.")
        elif "warning" not in severities:
            message = f"{code} is an error here: errors are mended, never ignored"
            help = f"`trunkline explain {code}` says what to write instead."
            yield warning(CODE, path, comment.mark, message, help)
