"""`trunkline-runtime job check FILE`: whether a job can become a call, before anybody is called."""

import json
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trunkline_runtime.commands.options import into_option
from trunkline_runtime.failure import FatalError, Refused
from trunkline_runtime.release.collect import names_in
from trunkline_runtime.table.layout import POLICY_NAME

if TYPE_CHECKING:
    from trunkline_runtime.worker.job import Job


@click.group("job")
def command() -> None:
    """Jobs: what asks a worker for a call (docs/jobs.md)."""


@command.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@into_option
def check(file: Path, cache: Path) -> int:
    """Checks the metadata of a job, as a worker does before it dials. Exit code 1 if it is refused.

    Where releases were pulled to this machine, its tenant, channel, flow and inputs are checked
    too. Nobody is called, and what policy says at the moment of dialling is not asked.
    """
    text = _text(file)
    from trunkline_runtime.worker.job import BadJob, read_job

    try:
        job = read_job(text)
        if job is None:
            click.echo(f"{file} states nothing: it fits a call that comes in")
            return 0
        tenants = [name for name in names_in(cache) if name != POLICY_NAME]
        checked = _fits_release(job, cache, tenants) if tenants else f"no release is in {cache}"
    except BadJob as problem:
        raise Refused(f"{file}: {problem}") from None
    click.echo(f"{file} is a job of {job.tenant}; {checked}")
    return 0


def _fits_release(job: "Job", cache: Path, tenants: list[str]) -> str:
    """What was checked against the tenant's release here. Raises BadJob, in a worker's words."""
    from trunkline_runtime.worker.job import BadJob
    from trunkline_runtime.worker.phone_call import begun
    from trunkline_runtime.worker.policy_here import PolicyHere
    from trunkline_runtime.worker.taken import take

    if job.tenant not in tenants:
        near = get_close_matches(job.tenant, tenants, n=1)
        meant = f"did you mean {near[0]}?" if near else f"its tenants: {', '.join(tenants)}"
        raise BadJob(f"no release of {job.tenant} is in {cache}; {meant}")
    if job.flow is None:
        return "it names no flow, so the dialled number says which, and its inputs are not checked"
    taken = take(cache, job, None, "job")
    begun(taken, job, PolicyHere(cache))
    return f"{taken.pin.flow} of {taken.pin.tag} ({taken.channel}) takes it"


def _text(file: Path) -> str:
    """The text of a JSON file, or of an empty one. Raises FatalError for any other."""
    try:
        text = file.read_text(encoding="utf-8")
        if text.strip():
            json.loads(text)
    except OSError as problem:
        raise FatalError(f"{file}: {problem.strerror}") from None
    except json.JSONDecodeError as problem:
        raise FatalError(f"{file}, line {problem.lineno}: this is no JSON") from None
    except (ValueError, RecursionError):
        raise FatalError(f"{file} is no JSON") from None
    return text
