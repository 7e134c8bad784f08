"""A draft for a person: where it is, what is still wrong, what is missing, what it took."""

from collections.abc import Iterator, Sequence

from trunkline.draft.drafting import Drafted
from trunkline.draft.proposed import ProposedTree
from trunkline.finding import Finding
from trunkline.report.excerpt import Excerpts
from trunkline.report.printable import printable
from trunkline.report.text import render


class _Nothing:
    """A tree without files: the texts of the draft stand on top of it."""

    def paths(self) -> list[str]:
        return []

    def read(self, path: str) -> bytes:
        return b""


def drafted_text(drafted: Drafted, written: Sequence[str]) -> str:
    """The whole report."""
    return "\n".join(_lines(drafted, written)) + "\n"


def findings_of(text: str, path: str, findings: Sequence[Finding]) -> str:
    """Findings as `check` tells them, of a text that is not on disk."""
    return render(findings, Excerpts(ProposedTree(_Nothing(), {path: text})))


def _lines(drafted: Drafted, written: Sequence[str]) -> Iterator[str]:
    proposal = drafted.proposal
    for path in written:
        yield f"wrote {printable(path)}"
    if proposal.findings:
        yield ""
        yield findings_of(proposal.text, written[0], proposal.findings).rstrip("\n")
        yield ""
    first = (
        "compiled at once" if not drafted.first else f"{_count(drafted.first, 'error')} at first"
    )
    yield f"{first}, {_count(drafted.rounds, 'round')} of repair, {_left(drafted)}"
    for gap in drafted.gaps:
        yield f"needs: {printable(gap.needs)} ({printable(gap.why)})"
    if drafted.left_out:
        yield f"not offered to the model: {', '.join(drafted.left_out)}"
    spent = drafted.spent
    tokens = f"{spent.prompt_tokens:,} tokens read and {spent.completion_tokens:,} written"
    yield f"{_count(spent.requests, 'request')}, {tokens}, {spent.seconds:.1f} s"


def _left(drafted: Drafted) -> str:
    errors = len(drafted.proposal.errors)
    if not errors:
        return "no errors left"
    return f"{_count(errors, 'error')} left: look for # TODO in the file and decide"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
