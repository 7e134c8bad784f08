"""Releases: pulled from a store, verified, kept on this machine, and pinned by calls."""
