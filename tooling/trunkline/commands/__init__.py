"""The commands of `trunkline`, one file for each.

A module whose docstring begins with "`trunkline NAME`: what it does." is the command NAME. It
holds a `command`, whose callback returns the exit code (None for 0) and gets the repository's
folder by `@click.pass_obj`.
"""
