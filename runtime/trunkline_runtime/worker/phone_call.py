"""One call on a line, from its job to its record.

Whatever goes wrong before the first word ends in a refusal (see `refusal`); whatever goes wrong
after it ends in the flow's own way out, and in a record.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from opentelemetry.trace import TracerProvider

from trunkline_runtime.call.call import Call
from trunkline_runtime.call.caller import Caller
from trunkline_runtime.call.checkpoint import Checkpoints, Running
from trunkline_runtime.call.clock import WallClock
from trunkline_runtime.call.entry import FAILED
from trunkline_runtime.call.inputs import give_inputs
from trunkline_runtime.call.keeping import Keeping, call_log
from trunkline_runtime.call.live import LiveCall
from trunkline_runtime.call.model_here import model_here
from trunkline_runtime.call.state import CallState
from trunkline_runtime.call.watch import Watch
from trunkline_runtime.failure import FatalError
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.gate import PolicyGate
from trunkline_runtime.gate.ledger import Ledger, LedgerDown
from trunkline_runtime.gate.pending import PendingGate
from trunkline_runtime.table.canonical import Json
from trunkline_runtime.table.settings import TenantSettings
from trunkline_runtime.tools.kinds import dispatcher_of
from trunkline_runtime.worker.briefing import RoomBriefing
from trunkline_runtime.worker.cut_off import resumed
from trunkline_runtime.worker.dial_claim import DialClaims
from trunkline_runtime.worker.held_pin import holding
from trunkline_runtime.worker.job import BadJob, Job, read_job, tenant_in
from trunkline_runtime.worker.line import PARTY, Line, LineDown, Party
from trunkline_runtime.worker.outbound import Outbound
from trunkline_runtime.worker.policy_here import PolicyHere
from trunkline_runtime.worker.reaching import Reaching, dials
from trunkline_runtime.worker.refusal import refuse
from trunkline_runtime.worker.sip import Dialled, SipLine, Trunk
from trunkline_runtime.worker.station import Station
from trunkline_runtime.worker.taken import Taken, job_of_line, take
from trunkline_runtime.worker.transfers import SipTransfers
from trunkline_runtime.worker.voices import Voices, voices_of

logger = logging.getLogger("trunkline.worker")

# Somebody who rings is on the line already, or a moment later.
_COMES_SECONDS = 30.0

VoicesOf = Callable[[TenantSettings, str], Voices | None]


@dataclass(frozen=True)
class PhoneCall:
    """Everything that one call is held with. `voices` gives None for a line without sound."""

    station: Station
    line: Line
    sip: SipLine
    provider: TracerProvider | None = None
    voices: VoicesOf = voices_of

    async def hold(self, metadata: str) -> dict[str, Json] | None:
        """Holds the call that a job's metadata states; its record, or None if another process
        holds this call already. Never raises for what a job, a line or a back end can do.
        """
        tenant, fallback = tenant_in(metadata)
        flow: str | None = None
        call_id: str | None = None
        try:
            # First of all: who is on the line of a bad job is spoken to.
            await self.line.join()
            job = read_job(metadata)
            party = await self._who(job)
            if job is None:
                job = job_of_line(self.station.cache, party)
            tenant, flow, call_id, fallback = job.tenant, job.flow, job.call_id, job.fallback
            taken = take(self.station.cache, job, party, self.line.id)
            flow, call_id = taken.pin.flow, taken.call_id
            if party is None and taken.pin.table.direction == "inbound":
                party = await self.line.await_party(_COMES_SECONDS)
            kept = Checkpoints(self.station.state)
            with kept.holding(tenant, taken.call_id, self.line.id):
                return await self._held(job, taken, party)
        except Running as running:
            if running.where == self.line.id:
                logger.warning("a job came again for a call that is running here; nothing is done")
                return None
            why = f"the call {call_id} is running on another line at this moment"
        except (BadJob, FatalError, LedgerDown, LineDown) as problem:
            why = str(problem)
        except OSError as problem:
            why = f"the state of this worker can't be used: {problem.strerror}"
        except Exception as problem:
            log_fault(logger, "a call could not be held", problem)
            why = f"this is a bug of Trunkline ({type(problem).__name__})"
        return await refuse(
            self.station,
            self.line,
            self.sip,
            why,
            tenant=tenant,
            flow=flow,
            call_id=call_id,
            fallback=fallback,
        )

    async def _who(self, job: Job | None) -> Party | None:
        """Who is on the line. Only a call that may have to dial does not wait for anybody."""
        if job is not None and job.number is not None and job.answered_by is None:
            return self.line.party()
        return await self.line.await_party(_COMES_SECONDS)

    async def _held(self, job: Job, taken: Taken, party: Party | None) -> dict[str, Json]:
        station = self.station
        here = PolicyHere(station.cache)
        policy = PolicyGate.open(here.policy, here.settings, station.state)
        gate = PendingGate(policy, station.state)
        saved = _saved(station, taken)
        if saved is not None:
            call = resumed(station, saved, here.policy())
        else:
            call = begun(taken, job, here)
        settings, language = call.settings, call.table.language
        model = model_here(settings).for_session()
        voices = self.voices(settings, language)
        keeping = Keeping(call, call_log(station.state), Checkpoints(station.state), self.provider)
        identity = party.identity if party is not None else PARTY
        trunk = _trunk(station, job)
        transfers = SipTransfers(self.sip, self.line.room, identity, trunk, self._briefing(voices))
        outbound = None
        if call.state.direction == "outbound":
            if trunk is None and party is None and dials(call.state):
                raise FatalError("this worker dials nobody: TRUNKLINE_SIP_TRUNK names no trunk")
            telephone = _Telephone(self.sip, trunk or Trunk(""), self.line.room)
            claims = DialClaims(Ledger.of_environment(station.state))
            outbound = Outbound(gate, claims, telephone)

        async def drop() -> None:
            if transfers.joined is None:
                await self.sip.remove(self.line.room, identity)

        async with (
            holding(station.cache, call.pin),
            dispatcher_of(call, gate, address=job.address) as dispatcher,
        ):
            live = LiveCall(
                call,
                gate=gate,
                dispatcher=dispatcher,
                transfers=transfers,
                model=model,
                session_options=voices.options() if voices is not None else None,
                changed=keeping.changed,
                room=self.line.session_options(identity),
                drop=drop,
            )
            keeping.changed()
            try:
                await Reaching(self.line, live, model, outbound).reach(job, party)
                keeping.changed()
                await self._talk(live)
            except Exception as problem:
                # A bug of ours: the record says so, and who is on the line is spoken to.
                call.state.failures.append(type(problem).__name__)
                call.state.outcome = call.state.outcome or FAILED
                call.state.over = True
                keeping.complete()
                raise
        record = keeping.complete()
        if transfers.joined is not None:
            await self.line.until_someone_leaves()
        await self.sip.close_room(self.line.room)
        return record

    async def _talk(self, live: LiveCall) -> None:
        """From the first word to the last."""
        caller = Caller(live)
        watch = Watch(live, caller)
        if not live.state.over:
            self.line.follow(caller)
        await live.start()
        watch.begin()
        try:
            await live.ended.wait()
        finally:
            watch.end()

    def _briefing(self, voices: Voices | None) -> "RoomBriefing | _NoBriefing":
        return RoomBriefing(self.station, voices.mouth) if voices is not None else _NoBriefing()


@dataclass(frozen=True)
class _Telephone:
    sip: SipLine
    trunk: Trunk
    room: str

    async def dial(self, number: str, ring_seconds: int) -> Dialled:
        return await self.sip.dial(self.trunk, number, self.room, PARTY, ring_seconds)


class _NoBriefing:
    async def say(self, room: str, words: str, language: str) -> None:
        """A line without sound has no voice to tell a summary with."""


def begun(taken: Taken, job: Job, here: PolicyHere) -> Call:
    """A call before its first node. Raises BadJob for inputs that the flow can't take."""
    call = Call.begin(
        taken.pin,
        WallClock(),
        here.policy(),
        call_id=taken.call_id,
        party=taken.number,
        answered_by=job.answered_by,
        consents=job.consents,
    )
    try:
        give_inputs(call, job.inputs)
    except FatalError as problem:
        raise BadJob(str(problem)) from None
    call.state.channel = taken.channel
    return call


def _saved(station: Station, taken: Taken) -> CallState | None:
    """What a process before this one has left of the call. Raises FatalError."""
    try:
        return Checkpoints(station.state).load(taken.pin.release.tenant, taken.call_id)
    except ValueError as problem:
        raise FatalError(f"what was kept of this call can't be read: {problem}") from None


def _trunk(station: Station, job: Job) -> Trunk | None:
    own = station.trunk
    if job.trunk is None and own is None:
        return None
    number = job.caller_number or (own.caller_number if own is not None else None)
    return Trunk(job.trunk or (own.id if own is not None else ""), number)
