"""Scripted calls: what the model, the tools and the caller do, from a file."""
