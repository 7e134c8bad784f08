"""An OCI registry as a store: what both sides say to one, over whatever carries HTTP for them.

Nothing here opens a connection: publishing and pulling each bring a transport of their own.
Source: OCI distribution-spec 1.1.
"""
