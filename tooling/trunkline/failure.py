"""What the user must fix before any finding can be given: one line, an exit code, no traceback."""


class FatalError(Exception):
    """Stops a command. The message is shown as it is: say what is wrong and what to do."""

    exit_code = 2
