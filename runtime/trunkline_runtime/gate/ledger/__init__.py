"""What must count at once and outlive a crash: spend, opt-outs, contacts, attempts, kill switches.

One database, SQLite on one machine or a server for a fleet, through SQLAlchemy Core. Everything
that one decision changes is one transaction, on disk before the decision is given.
"""

from trunkline_runtime.gate.ledger.ledger import Ledger, LedgerDown, Transaction

__all__ = ["Ledger", "LedgerDown", "Transaction"]
