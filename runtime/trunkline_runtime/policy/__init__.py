"""The one policy engine: documents in, a verdict with its reasons out.

It is used when flows are compiled, in policy tests and in front of every tool while a call runs.
It reads no clock and opens no socket; what it is not told it does not assume, and what cannot be
decided is denied.
"""
