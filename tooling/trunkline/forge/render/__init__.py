"""Prints for GitHub: the comment on a pull request, the notes of a release."""
