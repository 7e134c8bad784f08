"""Back ends to try calls against: what a tenant's own systems would answer, on this machine alone.

A loopback HTTP server over SQLite with seed data. It plays the tenant's CRM, billing, messaging,
calendar and knowledge systems, the human at the far end of a warm transfer, the caller's phone
where a secure page has to be filled in, and the slower model behind a subagent.
"""

from trunkline_runtime.sandbox.running import Sandbox, running_sandbox

__all__ = ["Sandbox", "running_sandbox"]
