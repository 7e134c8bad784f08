"""First versions of files that an operator goes on from: they pass the check as they are."""
