"""Puts on record what the ledger changed by itself: holds that ran out."""

from trunkline_runtime.gate.decision_log import DecisionLog
from trunkline_runtime.gate.ledger import Ledger
from trunkline_runtime.gate.record import expired_record


def write_owed(ledger: Ledger, log: DecisionLog) -> None:
    """Every expiry that has no line yet gets one, at least once: a process that dies between the
    line and the commit leaves the debt, and the next one writes the line again.

    Raises LedgerDown or OSError; what is owed then stays so.
    """
    with ledger.asking() as looking:
        if not looking.owed():
            return
    while True:
        with ledger.transaction() as transaction:
            expiries = transaction.owed()
            for expiry in expiries:
                log.append(expired_record(expiry))
            transaction.paid(expiries)
        if not expiries:
            return
