"""`trunkline comment`: says on a pull request what a run of the check found out about calls."""

import click

from trunkline.forge.github import github_here
from trunkline.forge.handover import Unusable, handed_over
from trunkline.forge.pull_request import judged_by, run_of
from trunkline.forge.render.comment import apology, body, label_of, read_report
from trunkline.forge.sticky import label, place, sticky


@click.command("comment")
@click.option("--run", "id", metavar="ID", type=int, required=True, help="The run of the check.")
def command(id: int) -> None:
    """Keeps one comment and one label on the pull request that the run judged.

    Needs GITHUB_REPOSITORY and GH_TOKEN. Checks nothing out: what the run handed over is all that
    it reads of the pull request.
    """
    github = github_here()
    run = run_of(github, id)
    pull = judged_by(github, run)
    if pull is None:
        click.echo("no open pull request is at the commit that this run judged: nothing to say")
        return
    found = sticky(github, pull.number)
    earlier = None if found is None else found[1]
    report = None
    try:
        report = read_report(handed_over(github, run.id))
        text = body(report, run, pull, earlier)
    except Unusable as why:
        report = None
        text = apology(why, run, pull, earlier)
        click.echo(f"nothing can be shown: {why}", err=True)
    placed = place(github, pull.number, text)
    labelled = label(github, pull.number, label_of(report))
    click.echo(f"pull request {pull.number}: comment {placed}, {label_of(report)} {labelled}")
