"""Runs calls at design time: the demo and scenario tests.

The only room of the tooling that may import the whole runtime.
"""
