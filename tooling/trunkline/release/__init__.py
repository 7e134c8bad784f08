"""Releases: what a clean repository becomes in a store, one immutable artifact per tenant."""
