"""Which release and flow a job's call takes, from what the worker's follower keeps."""

from dataclasses import dataclass
from pathlib import Path

from trunkline_runtime.failure import FatalError
from trunkline_runtime.release.cache import current_rollout
from trunkline_runtime.release.loaded import Pin
from trunkline_runtime.release.source import check_name
from trunkline_runtime.worker.job import BadJob, Job
from trunkline_runtime.worker.line import Party
from trunkline_runtime.worker.lines_here import NoTenant, tenant_of


@dataclass(frozen=True)
class Taken:
    """A pin, and the channel that gave it. `call_id` is the call's name from now on."""

    pin: Pin
    channel: str
    call_id: str
    number: str | None


def job_of_line(cache: Path, party: Party | None) -> Job:
    """The job that a dialled number states by itself. Raises BadJob."""
    if party is None or party.dialled is None:
        raise BadJob("the job's metadata is empty, and no dialled number is known")
    try:
        return Job(tenant_of(cache, party.dialled))
    except NoTenant as problem:
        raise BadJob(str(problem)) from None


def take(cache: Path, job: Job, party: Party | None, room_id: str) -> Taken:
    """The pin of a job's call. Raises BadJob for a job that the release has no call for."""
    try:
        check_name(job.tenant)
        call_id = job.call_id or room_id
        rollout = current_rollout(cache, job.tenant)
        channel = job.channel or rollout.channel(call_id)
        release = rollout.release(call_id, job.channel)
        flow = job.flow
        if flow is None:
            flow = release.settings.inbound.get(party.dialled or "") if party else None
        if flow is None:
            raise BadJob(f"the job names no flow, and {job.tenant} has none for the dialled number")
        pin = Pin(release, flow)
    except FatalError as problem:
        raise BadJob(str(problem)) from None
    number = job.number or (party.number if party is not None else None)
    if pin.table.direction == "outbound":
        if job.call_id is None:
            raise BadJob("the job of an outbound flow lacks `call_id`: nobody is dialled twice")
        if number is None:
            raise BadJob("the job of an outbound flow lacks `number`")
    elif job.answered_by is not None:
        raise BadJob(f"the job says who answered, and {flow} is no outbound flow")
    return Taken(pin, channel, call_id, number)
