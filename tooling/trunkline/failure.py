"""What the user must fix before any finding can be given: one line, exit code 2."""


class FatalError(Exception):
    """Stops a command. The message is shown as it is: say what is wrong and what to do."""
