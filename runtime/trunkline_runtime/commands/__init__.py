"""The command line of the runtime: one file per command.

The module of a command holds `command`, whose callback returns the exit code (None for 0).
"""
