"""Calls on the phone: a job becomes a call on a pinned release, on a line of a LiveKit room."""
