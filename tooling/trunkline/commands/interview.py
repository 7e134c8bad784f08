"""`trunkline interview`: questions each step of a flow; every answer changes that step alone."""

import sys
from pathlib import Path

import click
from rich.console import Console
from rich.prompt import Confirm, Prompt
from rich.text import Text

from trunkline.draft.answers_file import Answers, read_answers
from trunkline.draft.asking import MAX_TOKENS, Asking
from trunkline.draft.compiling import Proposal, Workbench
from trunkline.draft.interview import change_of
from trunkline.draft.keep import keep
from trunkline.draft.progress import Progress
from trunkline.draft.questions import Question, questions_of
from trunkline.draft.server import OpenAiServer, address_here
from trunkline.failure import FatalError
from trunkline.nearest import did_you_mean
from trunkline.report.changed import changed_text
from trunkline.report.printable import printable
from trunkline.source.tree import WorkingTree


@click.command("interview")
@click.argument("tenant")
@click.argument("flow")
@click.argument("node", required=False)
@click.option(
    "--answers",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Answers as YAML, `node: {question: words}`; nothing is asked.",
)
@click.option("--yes", is_flag=True, help="Keep every change that brings no new error, unasked.")
@click.option("--list", "only_list", is_flag=True, help="Tell the questions, and ask nothing.")
@click.option("--again", is_flag=True, help="Ask what was answered before, too.")
@click.option("--model", help="Else TRUNKLINE_LLM_MODEL, else gpt-oss-120b.")
@click.pass_obj
def command(
    root: Path,
    tenant: str,
    flow: str,
    node: str | None,
    file: Path | None,
    yes: bool,
    only_list: bool,
    again: bool,
    model: str | None,
) -> int:
    """Asks the questions that matter at each step of TENANT's FLOW, or at one NODE.

    Each answer changes that step and its exits, nothing else; the change is shown before it is
    kept. Whatever interrupts it, what was answered is remembered, and it goes on from there. Exits
    with 1 if a change brought errors and was therefore not kept.
    """
    path = f"flows/{tenant}/{flow}.yaml"
    questions = _questions(root, tenant, flow, path, node)
    if only_list:
        for each in questions:
            click.echo(f"{each.node} {each.id}: {printable(each.text)}")
        return 0
    answers = read_answers(file, questions) if file is not None else None
    if answers is None and not sys.stdin.isatty():
        raise FatalError("there is no terminal to ask in: give --answers FILE, or --list")
    asking = Asking(OpenAiServer(address_here(model)), MAX_TOKENS)
    interview = _Interview(root, path, answers, yes, again, asking)
    interview.progress = Progress.read(root, tenant, flow)
    try:
        refused = [each for each in questions if not interview.settled(each)]
    except EOFError:  # Ctrl-D: nobody answers any more, and what was answered is kept
        click.echo()
        raise click.Abort from None
    return int(bool(refused))


class _Interview:
    """One run: what is asked, and where the answers come from."""

    progress: Progress

    def __init__(
        self,
        root: Path,
        path: str,
        answers: Answers | None,
        yes: bool,
        again: bool,
        asking: Asking,
    ) -> None:
        self.root, self.path, self.answers = root, path, answers
        self.yes, self.again, self.asking = yes, again, asking
        self.console = Console(highlight=False, soft_wrap=True)

    def settled(self, question: Question) -> bool:
        """Asks one question and settles it; False if its change was refused for its errors."""
        text = _on_disk(self.root, self.path)
        given = (self.answers or {}).get((question.node, question.id))
        if not self.again and self.progress.is_done(question, text, given):
            return True
        answer = self._answer(question)
        if answer is None:
            return True
        if not answer:
            self.progress.note(question, "", "skipped")
            return True
        self.progress.note(question, answer, "given")
        bench = Workbench(self.root, self.path)
        change = change_of(question, answer, bench.propose(text), bench, self.asking)
        click.echo(f"\n{question.node} {question.id}: {printable(answer)}")
        click.echo(changed_text(change, self.path), nl=False)
        if not change.is_one:
            click.echo("nothing changes")
            self.progress.note(question, answer, "unchanged")
            return True
        if self.yes and change.worse:
            click.echo("not kept: the flow would have errors that it has not now")
            return False
        if not self.yes and self.answers is not None:
            click.echo("shown, not kept: --yes keeps it")
            return True
        return self._decided(question, answer, change.after)

    def _decided(self, question: Question, answer: str, after: Proposal) -> bool:
        if self.yes or Confirm.ask("Keep it?", console=self.console):
            # Noted first: after an interruption the file itself says whether it was kept.
            self.progress.note(question, answer, "keeping", after.text)
            keep(self.root, self.path, after.text)
            self.progress.note(question, answer, "kept")
            click.echo(f"kept in {self.path}")
        else:
            self.progress.note(question, answer, "dropped")
        return True

    def _answer(self, question: Question) -> str | None:
        """The words; none for a question to skip; None for one that nobody answers now."""
        if self.answers is not None:
            return self.answers.get((question.node, question.id))
        before = None if self.again else self.progress.answer(question)
        if before is not None:
            return before
        heading = Text.assemble((question.node, "bold cyan"), f"  {printable(question.text)}")
        self.console.print()
        self.console.print(heading)
        return Prompt.ask(
            "  (empty: leave it)", console=self.console, default="", show_default=False
        ).strip()


def _questions(
    root: Path, tenant: str, flow: str, path: str, node: str | None
) -> tuple[Question, ...]:
    repository = Workbench(root, path).repository
    found = repository.flows.get((tenant, flow))
    if found is None:
        if path in repository.broken:
            raise FatalError(f"{path} has errors; `trunkline check {path}` tells them")
        hint = did_you_mean(flow, repository.flow_ids_of(tenant))
        raise FatalError(f"{path}: there is no such flow. {hint}".rstrip())
    if node is not None and node not in found.nodes:
        hint = did_you_mean(node, found.nodes) or f"It has {', '.join(found.nodes)}."
        raise FatalError(f"{tenant}/{flow} has no node {node}. {hint}")
    if not found.nodes:
        raise FatalError(f"{path} uses a shared flow: it has no steps of its own to ask about")
    return questions_of(found, node)


def _on_disk(root: Path, path: str) -> str:
    return WorkingTree(root).read(path).decode("utf-8")
