"""A sandbox that runs as long as a `with` block, and the environment that points tools at it."""

import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from trunkline_runtime.sandbox.faults import FaultRates, Faults
from trunkline_runtime.sandbox.routes import CONNECTIONS
from trunkline_runtime.sandbox.server import BackEnds, SandboxServer
from trunkline_runtime.sandbox.store import open_store, seed_documents


@dataclass(frozen=True)
class Sandbox:
    """A running sandbox.

    `environment` holds the base URL and the credential of every connection of every tenant
    (`NORTHWIND_ENERGY_CRM_URL`, `NORTHWIND_ENERGY_CRM_TOKEN`), of the desk behind transfers
    (`…_DESK_URL`) and of the slower model (`TRUNKLINE_SUBAGENT_LLM_…`).
    """

    base_url: str
    environment: Mapping[str, str] = field(repr=False)
    faults: Faults
    _back_ends: BackEnds = field(repr=False)
    _seeds: Mapping[str, Mapping[str, Any]] = field(repr=False)

    def start_anew(self) -> None:
        """Puts the seed data in the place of what the back ends hold; for one kept in memory."""
        fresh = open_store(None, self._seeds)
        with self._back_ends.lock:
            old, self._back_ends.store = self._back_ends.store, fresh
        old.close()

    def rows(self, query: str, *values: object) -> list[dict[str, Any]]:
        """What the back ends hold, for a test to look at: rows of a `select`."""
        with self._back_ends.lock:
            found: list[sqlite3.Row] = self._back_ends.store.execute(query, values).fetchall()
        return [dict(row) for row in found]


@contextmanager
def running_sandbox(
    *,
    port: int = 0,
    database: Path | None = None,
    seed: Traversable | None = None,
    environment: Mapping[str, str] | None = None,
) -> Iterator[Sandbox]:
    """Runs the back ends on a loopback port (0: any free one) until the block is left.

    Credentials and rates of failure come from `environment` (the process's own by default); a
    credential that it does not hold is made up. Raises OSError if the port is taken.
    """
    given = os.environ if environment is None else environment
    seeds = seed_documents(seed)
    tokens = {
        (tenant, connection): given.get(f"{_prefix(tenant, connection)}_TOKEN")
        or secrets.token_urlsafe(24)
        for tenant in seeds
        for connection in CONNECTIONS
    }
    model_token = given.get("TRUNKLINE_SUBAGENT_LLM_API_KEY") or secrets.token_urlsafe(24)
    faults = Faults(FaultRates.from_environment(given))
    back_ends = BackEnds(open_store(database, seeds), tokens, model_token, faults)
    server = SandboxServer(port, back_ends)
    base_url = f"http://127.0.0.1:{server.server_address[1]}"
    # The poll is how long leaving the block takes at most.
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield Sandbox(
            base_url, _assignments(base_url, tokens, model_token), faults, back_ends, seeds
        )
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
        with back_ends.lock:
            back_ends.store.close()


def _assignments(
    base_url: str, tokens: Mapping[tuple[str, str], str], model_token: str
) -> dict[str, str]:
    assigned: dict[str, str] = {}
    for (tenant, connection), token in tokens.items():
        assigned[f"{_prefix(tenant, connection)}_URL"] = f"{base_url}/{tenant}/{connection}"
        assigned[f"{_prefix(tenant, connection)}_TOKEN"] = token
    assigned["TRUNKLINE_SUBAGENT_LLM_BASE_URL"] = f"{base_url}/v1"
    assigned["TRUNKLINE_SUBAGENT_LLM_API_KEY"] = model_token
    assigned["TRUNKLINE_SUBAGENT_LLM_MODEL"] = "sandbox"
    return assigned


def _prefix(tenant: str, connection: str) -> str:
    return f"{tenant}_{connection}".upper().replace("-", "_")
