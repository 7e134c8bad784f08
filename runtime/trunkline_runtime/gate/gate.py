"""The gate: asks every step in order, takes what it allows from the ledger, and writes it down."""

import asyncio
import atexit
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from trunkline_runtime.failure import FatalError
from trunkline_runtime.faults import log_fault
from trunkline_runtime.gate.asking import ask_dial, ask_tool
from trunkline_runtime.gate.decision import Decision, Ending
from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.ledger import Ledger, LedgerDown
from trunkline_runtime.gate.number_key import NumberKey
from trunkline_runtime.gate.outcome import Outcome, undecided
from trunkline_runtime.gate.owed_lines import write_owed
from trunkline_runtime.gate.record import (
    contact_record,
    dial_record,
    opt_out_record,
    settled_record,
    tool_record,
)
from trunkline_runtime.gate.request import ContactRecord, DialRequest, OptOut, ToolRequest
from trunkline_runtime.gate.second_place import SecondPlace
from trunkline_runtime.gate.standing_rules import (
    PolicyOfTheMoment,
    StandingRules,
    TenantOfTheMoment,
)
from trunkline_runtime.gate.waited import Waited
from trunkline_runtime.policy.list_folder import ListFolder
from trunkline_runtime.policy.question import Lists
from trunkline_runtime.table.canonical import Json

logger = logging.getLogger("trunkline.gate")

Result = TypeVar("Result")


class PolicyGate:
    """The one gate of a worker; see `request.Gate` for what it promises.

    `policy` gives the newest verified policy, never the one of a pin; `tenant` the settings of a
    tenant. Both may raise: that denies. `seconds` tells how long a turn was waited for. Deciding
    blocks on a disk, so it happens in a thread and the audio of other calls goes on.
    """

    def __init__(
        self,
        policy: PolicyOfTheMoment,
        tenant: TenantOfTheMoment,
        ledger: Ledger,
        log: DecisionLog,
        key: NumberKey,
        lists: Lists,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._standing = StandingRules(policy, tenant)
        self._ledger = ledger
        self._log = log
        self._key = key
        self._lists = lists
        self._seconds = seconds

    @classmethod
    def open(
        cls, policy: PolicyOfTheMoment, tenant: TenantOfTheMoment, state: Path
    ) -> "PolicyGate":
        """A gate that keeps ledger, record and key below `state`, as the environment says.

        Holds that ran out while nobody was here are counted first. Raises LedgerDown or FatalError:
        a worker without them must not take calls.
        """
        record = state / "decisions"
        key = NumberKey.of_environment(state)
        ledger = Ledger.of_environment(state)
        second = SecondPlace.of_environment(record)
        log = DecisionLog(record, appended=second.tell) if second else DecisionLog(record)
        _look_at(log)
        gate = cls(policy, tenant, ledger, log, key, ListFolder.of_environment())
        gate.expire_holds()
        if second is not None:
            atexit.register(second.close)
        return gate

    async def decide(self, request: ToolRequest) -> Decision:
        """May this tool run? Never raises; in doubt the answer is no."""
        return await asyncio.to_thread(self._decide, request)

    async def decide_dial(self, request: DialRequest) -> Decision:
        """May this number be dialled? Never raises; in doubt the answer is no."""
        return await asyncio.to_thread(self._decide_dial, request, Waited(self._seconds))

    async def settle(self, decision: Decision, ending: Ending, micros: int | None = None) -> None:
        """Never raises: what cannot be settled now keeps its hold, which counts the worst case."""
        await asyncio.to_thread(self._settle, decision, ending, micros)

    async def record_opt_out(self, opt_out: OptOut) -> None:
        """On disk when it returns. Raises LedgerDown if it is not."""
        await asyncio.to_thread(self._record_opt_out, opt_out)

    async def record_contact(self, contact: ContactRecord) -> None:
        """On disk when it returns. Raises LedgerDown if it is not."""
        await asyncio.to_thread(self._record_contact, contact)

    def _decide(self, request: ToolRequest) -> Decision:
        outcome = self._asked(
            lambda id: ask_tool(request, id, self._standing, self._ledger, self._lists)
        )
        decision = self._recorded(
            outcome,
            lambda: tool_record(
                request,
                outcome.decision,
                outcome.reached,
                outcome.cost,
                outcome.lists,
                outcome.sequence,
                self._key,
            ),
        )
        if outcome.expired:
            self._write_owed()
        return decision

    def _decide_dial(self, request: DialRequest, waited: Waited) -> Decision:
        outcome = self._asked(
            lambda id: ask_dial(request, id, self._standing, self._ledger, self._lists, waited)
        )
        return self._recorded(
            outcome,
            lambda: dial_record(
                replace(request, now=outcome.at or request.now),
                outcome.decision,
                outcome.lists,
                outcome.sequence,
                self._key,
            ),
        )

    def _asked(self, ask: Callable[[str], Outcome]) -> Outcome:
        id = secrets.token_hex(12)
        try:
            return ask(id)
        except LedgerDown as problem:
            return undecided(id, "ledger", str(problem))
        except Exception as problem:
            # The text of an exception may quote an argument or a number; its name does not.
            log_fault(logger, "the gate could not decide", problem)
            return undecided(id, "gate", f"the gate could not decide ({type(problem).__name__})")

    def _recorded(self, outcome: Outcome, record: Callable[[], dict[str, Json]]) -> Decision:
        """The decision once it is on disk; a denial if it cannot be put there."""
        decision = outcome.decision
        try:
            self._log.append(record())
        except Exception as problem:
            log_fault(logger, "a decision could not be recorded", problem)
            if decision.allowed:
                self._withdraw(decision)
            why = f"the decision could not be recorded ({type(problem).__name__})"
            return replace(undecided(decision.id, "record", why).decision, rules=decision.rules)
        return decision

    def _withdraw(self, decision: Decision) -> None:
        try:
            with self._ledger.transaction() as transaction:
                transaction.settle(decision.attempt, decision.id, "withdrawn", None)
        except LedgerDown as problem:
            log_fault(logger, "a hold could not be given back; it will expire", problem)

    def _settle(self, decision: Decision, ending: Ending, micros: int | None) -> None:
        if not decision.allowed or not decision.attempt:
            return
        try:
            with self._ledger.transaction() as transaction:
                changed = transaction.settle(decision.attempt, decision.id, ending, micros)
            self._log.append(settled_record(decision, ending, micros, changed))
        except Exception as problem:
            log_fault(logger, "an attempt could not be settled; its hold will expire", problem)

    def _record_opt_out(self, opt_out: OptOut) -> None:
        with self._ledger.transaction() as transaction:
            transaction.add_opt_out(opt_out)
        self._noted(opt_out_record(opt_out, self._key))

    def _record_contact(self, contact: ContactRecord) -> None:
        with self._ledger.transaction() as transaction:
            transaction.add_contact(contact)
        self._noted(contact_record(contact, self._key))

    def _noted(self, record: dict[str, Json]) -> None:
        """The ledger holds it already; a record that cannot be written must not undo that."""
        try:
            self._log.append(record)
        except (OSError, ValueError) as problem:
            log_fault(logger, "what the ledger holds could not be added to the record", problem)

    def expire_holds(self) -> int:
        """Counts the worst case of holds that ran out, and puts on record what is owed to it.

        Raises LedgerDown.
        """
        now = datetime.now(UTC)
        with self._ledger.asking() as looking:
            tenants = looking.tenants_with_holds_beyond(now)
        expired = 0
        for tenant in tenants:
            with self._ledger.transaction() as transaction:
                expired += transaction.expire(now, tenant)
        self._write_owed()
        return expired

    def _write_owed(self) -> None:
        """The ledger keeps what could not be written; whoever comes next writes it."""
        try:
            write_owed(self._ledger, self._log)
        except Exception as problem:
            log_fault(logger, "holds that ran out are not on record yet", problem)


def _look_at(log: DecisionLog) -> None:
    """A record that was altered is told now, and not when the first call is decided."""
    try:
        log.look()
    except OSError as problem:
        raise FatalError(f"{log.folder}: {problem.strerror}; no decision could be kept") from None
