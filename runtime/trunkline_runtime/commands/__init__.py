"""The command line of the runtime: one file per command."""
