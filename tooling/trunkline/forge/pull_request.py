"""The pull request that a workflow run judged, found by what GitHub itself says of the run."""

from dataclasses import dataclass

from trunkline.failure import FatalError
from trunkline.forge.github import GitHub

# Files that decide what a run of the check workflow does: GitHub takes them from the pull request.
_JUDGE = (".github/workflows/", ".github/actions/", "action.yml")


@dataclass(frozen=True)
class Run:
    """A run of a workflow. `head` is the commit at the tip of the pull request's branch."""

    id: int
    event: str
    head: str
    owner: str
    branch: str
    url: str


@dataclass(frozen=True)
class PullRequest:
    """An open pull request; `edits_its_judge` if it changes the workflow that looked at it.

    `base` is the branch that it goes into.
    """

    number: int
    head: str
    edits_its_judge: bool
    base: str = ""


def run_of(github: GitHub, id: int) -> Run:
    """The run with that id. Raises FatalError for one that is not there."""
    found = github.find(f"actions/runs/{id}")
    if found is None:
        raise FatalError(f"{github.repository} has no workflow run {id}")
    # A deleted fork leaves no repository behind.
    repository = found.get("head_repository") or {}
    return Run(
        id=int(found["id"]),
        event=str(found["event"]),
        head=str(found["head_sha"]),
        owner=str((repository.get("owner") or {}).get("login", "")),
        branch=str(found.get("head_branch") or ""),
        url=str(found["html_url"]),
    )


def judged_by(github: GitHub, run: Run) -> PullRequest | None:
    """The open pull request whose tip the run judged; None if it was closed or pushed to since.

    GitHub lists no pull request in the run of a fork, so it is looked up by branch and commit,
    neither of which comes from what the run produced.
    """
    if run.event != "pull_request" or not run.owner or not run.branch:
        return None
    found = github.every("pulls", state="open", head=f"{run.owner}:{run.branch}")
    for one in found:
        if one["head"]["sha"] == run.head:
            number = int(one["number"])
            files = github.every(f"pulls/{number}/files")
            touched = (
                str(name)
                for file in files
                for name in (file["filename"], file.get("previous_filename"))
                if name
            )
            edits = any(name.startswith(_JUDGE) for name in touched)
            base = str((one.get("base") or {}).get("ref") or "")
            return PullRequest(number, run.head, edits, base)
    return None
