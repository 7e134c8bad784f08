"""Prints a comparison: text for a terminal, Markdown for a pull request, JSON for a machine."""
